import { isDeepStrictEqual } from 'node:util';
import { gatewayDescription, gatewaySchema } from '../../domain/gateway.ts';
import { noRules } from '../../domain/rules.ts';
import { knowledgeBaseSchema, messageSchema } from './default-schemas.ts';
import type * as helpers from './define-tools.ts';
import {
  withoutDefaults,
  type PortableAgent,
  type PortableModel,
  type PortableTool,
  type PortableType,
} from './portable.ts';
import { Code, writeLiteral, type Writable } from './write-literal.ts';

/** The description and the schema that a tool gets in a workspace when its definition names none. */
export interface Known {
  description: string | undefined;
  schema: object | undefined;
}

/** Writes an agent as a file of code. `known` are the fields of its tools that a push would look up, by their names. */
export function writeAgent(agent: PortableAgent, known: ReadonlyMap<string, Known>): string {
  const called = new Set<string>();
  const { tools, rules, execution, limits, toolCallsInText, ...others } = withoutDefaults(agent);
  const { modelConnection, fallbackModels, modelSettings, compaction, ...rest } = others;
  const fields: Writable = {
    ...rest,
    // Skills are folders beside the file.
    skills: undefined,
    compaction: compaction === 'oldest_first' ? undefined : compaction,
    compactionThreshold: rest.compactionThreshold ?? undefined,
    summaryModel: rest.summaryModel ?? undefined,
    modelConnection: modelConnection ?? undefined,
    fallbackModels: toModels(fallbackModels),
    modelSettings: Object.keys(modelSettings).length === 0 ? undefined : modelSettings,
    execution: execution === 'inspectable' ? undefined : execution,
    limits: Object.keys(limits).length === 0 ? undefined : { ...limits },
    rules: toRules(rules),
    toolCallsInText: toolCallsInText ?? undefined,
    tools:
      tools.length === 0 ? undefined : tools.map((tool) => writeTool(tool, known.get(tool.name), called)),
  };
  const imported = ['defineAgent', ...called].sort().join(', ');
  return `import { ${imported} } from 'holdfast/agents';\n\nexport default defineAgent(${writeLiteral(fields)});\n`;
}

function toModels(models: PortableModel[]): Writable {
  if (models.length === 0) return undefined;
  return models.map(({ model, modelConnection }) => ({
    model,
    modelConnection: modelConnection ?? undefined,
  }));
}

/** Canary tokens are secrets and stay in the workspace. */
function toRules({ toolAllowlist, toolPolicies, forLater, onBlocked }: PortableAgent['rules']): Writable {
  const rules: Writable = {
    toolAllowlist,
    toolPolicies: isDeepStrictEqual(toolPolicies, noRules.toolPolicies) ? undefined : toolPolicies,
    forLater,
    onBlocked: onBlocked === noRules.onBlocked ? undefined : onBlocked,
  };
  return Object.values(rules).every((value) => value === undefined) ? undefined : rules;
}

function writeTool(tool: PortableTool, known: Known | undefined, called: Set<string>): Code {
  const { helper, first, config, defaults } = callsByType[tool.type](tool);
  called.add(helper);
  const { description, schema } = tool;
  const lookedUp = known ?? defaults;
  const options: Writable = {
    name: config.name === undefined && 'name' in config ? undefined : tool.name,
    ...config,
    description: description === lookedUp.description ? undefined : description,
    input: isDeepStrictEqual(schema, lookedUp.schema) ? undefined : schema,
    settings: toSortedSettings(tool),
  };
  const isEmpty = Object.values(options).every((value) => value === undefined);
  return new Code((indent) => {
    const given = [first, isEmpty ? undefined : options].filter((part) => part !== undefined);
    return `${helper}(${given.map((part) => writeLiteral(part, indent)).join(', ')})`;
  });
}

function toSortedSettings({ settings }: PortableTool): Writable {
  const entries = Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries<Writable>(entries);
}

interface HelperCall {
  helper: keyof typeof helpers;
  /** The argument before the options. */
  first?: string;
  /** The options that name what the tool leads to; `name` is undefined where it follows from them. */
  config: { [name: string]: Writable };
  defaults: Known;
}

const nothing: Known = { description: undefined, schema: undefined };

/** How code makes a tool of each type. */
const callsByType: Record<PortableType, (tool: PortableTool) => HelperCall> = {
  agent: ({ config }) => {
    const description = `Asks the agent "${config.agent}".`;
    return { helper: 'agentTool', config: { ...config }, defaults: { description, schema: messageSchema } };
  },
  function: ({ name, config }) => toFunctionCall(name, { ...config }),
  knowledge_base: ({ config }) => {
    const description = `Searches the documents of "${config.knowledgeBase}".`;
    const defaults = { description, schema: knowledgeBaseSchema };
    return { helper: 'knowledgeBaseTool', config: { ...config }, defaults };
  },
  mcp: ({ name, config }) => toMcpCall(name, { ...config }),
  workflow: ({ name, config }) => {
    const isSameName = config.workflow === name;
    return {
      helper: 'workflowTool',
      config: { ...(isSameName && { name: undefined }), ...config },
      defaults: nothing,
    };
  },
};

function toMcpCall(name: string, { gateway, tool, ...config }: HelperCall['config']): HelperCall {
  if (gateway === true) {
    const defaults = { description: gatewayDescription, schema: gatewaySchema };
    return {
      helper: 'gatewayTool',
      config: { ...(name === 'mcp' && { name: undefined }), ...config },
      defaults,
    };
  }
  const names = tool === undefined ? { name: undefined, tool: name } : { tool };
  return { helper: 'mcpTool', config: { ...config, ...names }, defaults: nothing };
}

function toFunctionCall(name: string, { runs, functionName, ...config }: HelperCall['config']): HelperCall {
  if (runs === 'client') return { helper: 'clientTool', config, defaults: nothing };
  const first = typeof functionName === 'string' ? functionName : name;
  const names = functionName === undefined ? { name: undefined } : {};
  return { helper: 'functionTool', first, config: { ...names, ...config }, defaults: nothing };
}
