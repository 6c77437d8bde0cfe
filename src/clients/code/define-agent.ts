import { z } from 'zod';
import { agentFields, type AskedExecution } from '../../domain/agent.ts';
import { checkInput } from '../../domain/check-input.ts';
import type { CompactionMode } from '../../domain/compaction.ts';
import type { FieldError } from '../../domain/errors.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { TurnLimits } from '../../domain/limits.ts';
import type { ModelSettings } from '../../domain/model-settings.ts';
import { rulesInputSchema, type Rules } from '../../domain/rules.ts';
import { isFunctionDefinition, type FunctionDefinition } from '../../engines/functions/define-function.ts';
import { findToolErrors, isCodeTool, type CodeTool } from './create-tool.ts';
import { functionTool } from './define-tools.ts';
import type { PortableLimits, PortableModel } from './portable.ts';

const agentMark = Symbol.for('holdfast.agent');

/** The rules of an agent. Each name may also be spelled as in `tool_allowlist`. */
export type RulesOptions = Partial<Rules> & {
  tool_allowlist?: Rules['toolAllowlist'];
  tool_policies?: Rules['toolPolicies'];
  for_later?: Rules['forLater'];
  canary_tokens?: Rules['canaryTokens'];
  on_blocked?: Rules['onBlocked'];
};

/** The parts of an agent. */
export interface AgentOptions {
  /** Identifies the agent in its workspace: an agent with another name is another agent. */
  name: string;
  /** A model, or a list whose further ones are called when those before them are unreachable. */
  model: string | readonly string[];
  instructions: string;
  /** Functions, and what `mcpTool`, `workflowTool`, `knowledgeBaseTool`, `agentTool` and others return. */
  tools?: readonly (FunctionDefinition | CodeTool)[];
  /** Without `canaryTokens` the agent keeps those that it has. */
  rules?: RulesOptions;
  limits?: Partial<TurnLimits>;
  /** `fast` is accepted until the next release, and means `direct`. @default 'inspectable' */
  execution?: AskedExecution;
  /** The name of the connection whose key the model is called with. @default the operator's key */
  modelConnection?: string;
  /** The models that answer when the ones before them are unreachable, each with its connection if it has one. */
  fallbackModels?: readonly { model: string; modelConnection?: string }[];
  /** How the model is asked. @default the defaults of the vendor */
  modelSettings?: ModelSettings;
  /** How a conversation is shortened that is too long for its model. @default 'oldest_first' */
  compaction?: CompactionMode;
  /** The tokens above which the context is shortened. @default a number that fits the model */
  compactionThreshold?: number;
  /** The model that writes summaries. @default the agent's own */
  summaryModel?: string;
  /** Whether tool calls in the text of an answer are run. @default that of the model */
  toolCallsInText?: boolean;
}

/** An agent that code defines. */
export interface AgentDefinition {
  readonly [agentMark]: true;
  readonly name: string;
  readonly model: string;
  readonly instructions: string;
  readonly execution: AskedExecution;
  readonly modelConnection: string | null;
  readonly fallbackModels: readonly PortableModel[];
  readonly modelSettings: ModelSettings;
  readonly compaction: CompactionMode;
  readonly compactionThreshold: number | null;
  readonly summaryModel: string | null;
  readonly limits: PortableLimits;
  readonly rules: Rules;
  /** Whether the agent keeps the canary tokens that it has: the code names none. */
  readonly keepsCanaryTokens: boolean;
  readonly toolCallsInText: boolean | null;
  readonly tools: readonly CodeTool[];
}

const { name, model, instructions, limits, execution, toolCallsInText, modelSettings } = agentFields;
const { compaction, compactionThreshold, summaryModel } = agentFields;

const connectionName = z.string().min(1).max(200).nullable().default(null);

const toolSchema = z.unknown().transform((value, context): CodeTool => {
  if (isFunctionDefinition(value)) return functionTool(value);
  if (isCodeTool(value)) {
    for (const { field, message } of findToolErrors(value))
      context.addIssue({ code: 'custom', path: field.split('.'), message });
    return value;
  }
  context.addIssue({ code: 'custom', message: 'expected a function, or a tool such as mcpTool({ … })' });
  return z.NEVER;
});

const optionsSchema = z
  .strictObject({
    ...{ name, instructions, limits, execution, toolCallsInText, modelSettings },
    ...{ compaction, compactionThreshold, summaryModel },
    model: z.union([model.transform((one) => [one]), z.array(model).min(1).max(6)]),
    fallbackModels: z
      .array(z.strictObject({ model, modelConnection: connectionName }))
      .max(5)
      .default([]),
    rules: rulesInputSchema.prefault({}),
    tools: z.array(toolSchema).max(1000).default([]),
    modelConnection: connectionName,
  })
  .superRefine(({ tools, model: models, fallbackModels }, context) => {
    if (models.length > 1 && fallbackModels.length > 0) {
      const message = 'expected either a list of models or fallbackModels';
      context.addIssue({ code: 'custom', path: ['fallbackModels'], message });
    }
    for (const [index, tool] of tools.entries()) {
      if (tools.findIndex((other) => other.name === tool.name) === index) continue;
      const message = `expected a name of its own, found "${tool.name}" again`;
      context.addIssue({ code: 'custom', path: ['tools', index, 'name'], message });
    }
  });

/**
 * Defines an agent. `holdfast push` brings each agent that a file of the folder `agents/` exports to the workspace.
 * @throws TypeError that says what is wrong with the definition
 */
export function defineAgent(options: AgentOptions): AgentDefinition {
  const checked = checkInput(optionsSchema, options);
  if (!checked.success) {
    const problems = checked.errors.map(({ field, message }) => `\n  ${field}: ${message}`);
    throw new TypeError(`The agent ${JSON.stringify(options.name)} cannot be used:${problems.join('')}`);
  }
  const given: object = options.rules ?? {};
  const keepsCanaryTokens = !('canaryTokens' in given) && !('canary_tokens' in given);
  const { model: models, fallbackModels: named, ...agent } = checked.value;
  const [first = '', ...others] = models;
  const fallbackModels = [...others.map((one) => ({ model: one, modelConnection: null })), ...named];
  return { [agentMark]: true, ...agent, model: first, fallbackModels, keepsCanaryTokens };
}

const definitionFields = z.strictObject({
  ...Object.fromEntries(Object.keys(optionsSchema.shape).map((field) => [field, z.unknown()])),
  keepsCanaryTokens: z.boolean(),
});

/** Returns the fields of a definition that agents do not have: code may have copied it with other fields. */
export function findDefinitionErrors(definition: AgentDefinition): FieldError[] {
  const checked = checkInput(definitionFields, definition);
  return checked.success ? [] : checked.errors;
}

/** Whether a value was made by {@link defineAgent}, of this or another copy of the package. */
export function isAgentDefinition(value: unknown): value is AgentDefinition {
  return isJsonObject(value) && agentMark in value;
}
