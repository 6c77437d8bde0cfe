import { isDeepStrictEqual } from 'node:util';
import { findExecutionWarning, toExecution } from '../../domain/agent.ts';
import type { FunctionListing } from '../../domain/function.ts';
import type { ToolSettings } from '../../domain/tool.ts';
import { cutDescription } from '../../domain/tool-description.ts';
import type { FunctionDefinition } from '../../engines/functions/define-function.ts';
import { fillCanaryTokens } from './canary-places.ts';
import type { AgentDefinition } from './define-agent.ts';
import type { CodeTool } from './create-tool.ts';
import { findNamed, type Directory } from './directory.ts';
import type { PortableAgent, PortableTool } from './portable.ts';

/** An agent of the code with all its fields, or what is wrong with it. */
export interface CompletedAgent {
  wanted: PortableAgent;
  problems: string[];
  warnings: string[];
}

/** The fields of a tool that were looked up, or what is wrong. */
type Completed = { tool: PortableTool; warning?: string | undefined } | { problem: string };

/**
 * Fills in what the code leaves to the workspace: descriptions and arguments of functions, workflows and MCP tools, and
 * canary tokens. `stored` is the agent of the same name in the workspace.
 */
export async function completeAgent(
  definition: AgentDefinition,
  stored: PortableAgent | undefined,
  directory: Directory,
): Promise<CompletedAgent> {
  const { name, model, limits, toolCallsInText, keepsCanaryTokens } = definition;
  const execution = toExecution(definition.execution);
  const ofExecution = findExecutionWarning(definition);
  const { modelConnection, modelSettings, fallbackModels } = definition;
  const { compaction, compactionThreshold, summaryModel } = definition;
  const canaryTokens = keepsCanaryTokens ? (stored?.rules.canaryTokens ?? []) : definition.rules.canaryTokens;
  const completed = await Promise.all(
    definition.tools.map(async (tool) => ({
      name: tool.name,
      ...(await completeTool(tool, findSame(tool, stored), directory)),
    })),
  );
  return {
    wanted: {
      ...{ name, model, execution, limits, toolCallsInText, modelConnection, modelSettings },
      ...{ compaction, compactionThreshold, summaryModel },
      fallbackModels: [...fallbackModels],
      instructions: fillCanaryTokens(definition.instructions, canaryTokens),
      rules: { ...definition.rules, canaryTokens },
      tools: completed.flatMap((one) => ('tool' in one ? [one.tool] : [])),
      // They come from files beside the definition.
      skills: stored?.skills ?? [],
    },
    problems: completed.flatMap((one) => ('problem' in one ? [`tools.${one.name}: ${one.problem}`] : [])),
    warnings: [
      ...(ofExecution ? [`${name}: ${ofExecution.field}: ${ofExecution.message}`] : []),
      ...completed.flatMap((one) => ('warning' in one && one.warning !== undefined ? [one.warning] : [])),
    ],
  };
}

/** The stored tool that calls the same thing under the same name. */
function findSame({ type, name, config }: CodeTool, stored: PortableAgent | undefined) {
  return stored?.tools.find(
    (tool) => tool.type === type && tool.name === name && isDeepStrictEqual(tool.config, config),
  );
}

async function completeTool(
  tool: CodeTool,
  same: PortableTool | undefined,
  directory: Directory,
): Promise<Completed> {
  if (tool.type === 'function' && tool.config.runs !== 'client') return completeFunction(tool, directory);
  if (tool.type === 'mcp') {
    const { settings } = tool;
    return fill({ ...tool, settings: withKept(settings, same) }, same ?? (await findOffer(tool, directory)));
  }
  return fill(tool, tool.type === 'workflow' ? await findWorkflow(tool, directory) : {});
}

interface Source {
  description?: string;
  schema?: PortableTool['schema'];
  problem?: string;
}

function fill(tool: CodeTool, source: Source): Completed {
  const { type, name, config, settings } = tool;
  const { description = source.description, schema = source.schema } = tool;
  if (description !== undefined && schema !== undefined)
    return { tool: { type, name, description, schema, settings, config } };
  return { problem: source.problem ?? 'expected a description and input' };
}

async function completeFunction(tool: CodeTool, directory: Directory): Promise<Completed> {
  const { functionName = tool.name } = tool.config;
  const all = await directory.functions();
  const found = all.find(({ name, aliases = [] }) => [name, ...aliases].includes(functionName));
  if (!found) {
    const own = all.flatMap(({ name, origin }) => (origin === 'own' ? [name] : []));
    const known = own.length === 0 ? 'It has no functions of its own.' : `Its own are: ${own.join(', ')}.`;
    return {
      problem: `the server has no function "${functionName}". ${known} Put it into the folder of functions, and deploy the server before the push.`,
    };
  }
  const filled = fill(tool, found);
  const warning = tool.definition && toWarning(tool.definition, found);
  return 'problem' in filled ? filled : { ...filled, warning };
}

function toWarning({ name, ...code }: FunctionDefinition, server: FunctionListing): string | undefined {
  const isSame =
    code.description === server.description &&
    code.effect === server.effect &&
    isDeepStrictEqual(code.schema, server.schema);
  if (isSame) return undefined;
  return `The server runs another version of the function "${name}" than this code. Agents keep its description and arguments as the server has them: deploy the server, and push again.`;
}

async function findWorkflow({ config }: CodeTool, directory: Directory): Promise<Source> {
  const all = await directory.workflowTypes();
  const found = all.find(({ id }) => id === config.workflow);
  if (found) return { description: found.description, schema: found.input };
  const known = all.map(({ id }) => id).join(', ') || 'none';
  return { problem: `the server has no workflow "${config.workflow}". There are: ${known}.` };
}

async function findOffer({ name, config }: CodeTool, directory: Directory): Promise<Source> {
  const { connection, tool: wanted = name } = config;
  if (connection === undefined) return {};
  const found = findNamed('connection', await directory.connections(), connection);
  if ('problem' in found) return found;
  try {
    const offers = await directory.offers(found.id);
    const offer = offers.find((one) => one.name === wanted || one.executeRef === wanted);
    if (offer) return { description: cutDescription(offer.description), schema: offer.inputSchema };
    const names = offers.map((one) => one.name).join(', ') || 'none';
    return {
      problem: `the connection "${connection}" has no tool "${wanted}". Its tools are: ${names}.`,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `the tools of the connection "${connection}" could not be read: ${reason}` };
  }
}

/**
 * A server's hints set the effect and the approval of a new tool. Where the code does not name them, they stay as they are
 * in the workspace.
 */
function withKept(settings: ToolSettings, same: PortableTool | undefined): ToolSettings {
  const { effect, approval } = same?.settings ?? {};
  return { ...(effect && { effect }), ...(approval && { approval }), ...settings };
}
