import { z } from 'zod';
import { agentFields, type ExecutionMode } from '../domain/agent.ts';
import { isJsonObject } from '../domain/json.ts';
import type { TurnLimits } from '../domain/limits.ts';
import { rulesInputSchema, type Rules } from '../domain/rules.ts';
import { isFunctionDefinition, type FunctionDefinition } from '../functions/define-function.ts';
import { functionTool, isCodeTool, type CodeTool } from './define-tools.ts';
import type { PortableLimits } from './portable.ts';

const agentMark = Symbol.for('holdfast.agent');

/** The rules of an agent. Each name may also be spelled as in `tool_allowlist`. */
export type RulesOptions = Partial<Rules> & {
  tool_allowlist?: Rules['toolAllowlist'];
  tool_policies?: Rules['toolPolicies'];
  canary_tokens?: Rules['canaryTokens'];
  on_blocked?: Rules['onBlocked'];
};

/** The parts of an agent. */
export interface AgentOptions {
  /** Identifies the agent in its workspace: an agent with another name is another agent. */
  name: string;
  model: string;
  instructions: string;
  /** Functions, and what `mcpTool`, `workflowTool`, `knowledgeBaseTool`, `agentTool` and others return. */
  tools?: readonly (FunctionDefinition | CodeTool)[];
  /** Without `canaryTokens` the agent keeps those that it has. */
  rules?: RulesOptions;
  limits?: Partial<TurnLimits>;
  /** @default 'inspectable' */
  execution?: ExecutionMode;
  /** The name of the connection whose key the model is called with. @default the operator's key */
  modelConnection?: string;
  /** Whether tool calls in the text of an answer are run. @default that of the model */
  toolCallsInText?: boolean;
}

/** An agent that code defines. */
export interface AgentDefinition {
  readonly [agentMark]: true;
  readonly name: string;
  readonly model: string;
  readonly instructions: string;
  readonly execution: ExecutionMode;
  readonly modelConnection: string | null;
  readonly limits: PortableLimits;
  readonly rules: Rules;
  /** Whether the agent keeps the canary tokens that it has: the code names none. */
  readonly keepsCanaryTokens: boolean;
  readonly toolCallsInText: boolean | null;
  readonly tools: readonly CodeTool[];
}

const { name, model, instructions, limits, execution, toolCallsInText } = agentFields;

const toolSchema = z.unknown().transform((value, context): CodeTool => {
  if (isCodeTool(value)) return value;
  if (isFunctionDefinition(value)) return functionTool(value);
  context.addIssue({ code: 'custom', message: 'expected a function, or a tool such as mcpTool({ … })' });
  return z.NEVER;
});

const optionsSchema = z
  .strictObject({
    ...{ name, model, instructions, limits, execution, toolCallsInText },
    rules: rulesInputSchema.prefault({}),
    tools: z.array(toolSchema).max(1000).default([]),
    modelConnection: z.string().min(1).max(200).nullable().default(null),
  })
  .superRefine(({ tools }, context) => {
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
  const checked = optionsSchema.safeParse(options);
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path, message }) => `\n  ${path.join('.')}: ${message}`);
    throw new TypeError(`The agent ${JSON.stringify(options.name)} cannot be used:${problems.join('')}`);
  }
  const given: object = options.rules ?? {};
  const keepsCanaryTokens = !('canaryTokens' in given) && !('canary_tokens' in given);
  return { [agentMark]: true, ...checked.data, keepsCanaryTokens };
}

/** Whether a value was made by {@link defineAgent}, of this or another copy of the package. */
export function isAgentDefinition(value: unknown): value is AgentDefinition {
  return isJsonObject(value) && agentMark in value;
}
