import { isDeepStrictEqual } from 'node:util';
import { gatewayDescription, gatewaySchema } from '../../domain/gateway.ts';
import { noRules } from '../../domain/rules.ts';
import { knowledgeBaseSchema, messageSchema } from './default-schemas.ts';
import { withoutDefaults, type PortableAgent, type PortableModel, type PortableTool } from './portable.ts';
import { Code, writeLiteral, type Writable } from './write-literal.ts';

/** The descriptions and arguments that a tool has in a workspace without being told them. */
export interface Known {
  description: string | undefined;
  schema: object | undefined;
}

/** Writes an agent as a file of code. `known` are the fields of its tools that a push would look up, by their names. */
export function writeAgent(agent: PortableAgent, known: ReadonlyMap<string, Known>): string {
  const helpers = new Set<string>();
  const { tools, rules, execution, limits, toolCallsInText, ...others } = withoutDefaults(agent);
  const { modelConnection, fallbackModels, modelSettings, compaction, ...rest } = others;
  const fields: Writable = {
    ...rest,
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
      tools.length === 0 ? undefined : tools.map((tool) => writeTool(tool, known.get(tool.name), helpers)),
  };
  const imported = ['defineAgent', ...helpers].sort().join(', ');
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

function writeTool(tool: PortableTool, known: Known | undefined, helpers: Set<string>): Code {
  const { helper, first, config, defaults } = toCall(tool);
  helpers.add(helper);
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
  helper: string;
  /** The argument before the options. */
  first?: string;
  /** The options that name what the tool leads to; `name` is undefined where it follows from them. */
  config: { [name: string]: Writable };
  defaults: Known;
}

const nothing: Known = { description: undefined, schema: undefined };

function toCall(tool: PortableTool): HelperCall {
  const { type, name } = tool;
  const config: HelperCall['config'] = { ...tool.config };
  if (type === 'agent') {
    const description = `Asks the agent "${tool.config.agent}".`;
    return { helper: 'agentTool', config, defaults: { description, schema: messageSchema } };
  }
  if (type === 'knowledge_base') {
    const description = `Searches the documents of "${tool.config.knowledgeBase}".`;
    return { helper: 'knowledgeBaseTool', config, defaults: { description, schema: knowledgeBaseSchema } };
  }
  if (type === 'workflow') {
    const isSameName = config.workflow === name;
    return {
      helper: 'workflowTool',
      config: { ...(isSameName && { name: undefined }), ...config },
      defaults: nothing,
    };
  }
  if (type === 'mcp') return toMcpCall(name, config);
  return toFunctionCall(name, config);
}

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
