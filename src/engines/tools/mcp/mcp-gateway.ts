import pLimit from 'p-limit';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { ToolOutcome, ToolRun } from '../../../domain/tool.ts';
import { toInnerToolId } from '../../../platform/lib/ids.ts';
import { failedResult } from '../failed-result.ts';
import { rankTools, toListEntry, toListing, type GatewayOffer } from './gateway-listing.ts';
import {
  findServer,
  listServerTools,
  toolsWithSameTarget,
  serversOf,
  toolNotFound,
  type GatewayServer,
} from './gateway-servers.ts';
import { deadlineOf, type McpToolDependencies } from './call-remote-tool.ts';
import { findInnerTool } from './inner-call.ts';
import { findGatewayCall, toGatewayId, type GatewayCall } from './mcp-target.ts';

/** The most servers that are asked for their tools at the same time. */
const concurrency = 8;

interface ListRequest {
  run: ToolRun<'mcp'>;
  deadline: number;
  /** The ids of quarantined tools. */
  quarantined: ReadonlySet<string>;
}

/** Leaves out quarantined tools: the model must not read their changed descriptions. */
function toOffer(
  { run, quarantined }: ListRequest,
  server: GatewayServer,
  all: ToolDefinition[],
): GatewayOffer {
  const { name } = server;
  const isStopped = ({ name: tool }: ToolDefinition) =>
    quarantined.has(toInnerToolId(run.tool.id, toGatewayId({ server: name, tool }))) ||
    toolsWithSameTarget(run, server, tool).some(({ id }) => quarantined.has(id));
  const hidden = new Set(quarantined.size === 0 ? [] : all.filter(isStopped));
  return {
    tools: all.flatMap((definition) => (hidden.has(definition) ? [] : [{ server: name, definition }])),
    unavailable: [],
    quarantined: [...hidden].map(({ name: tool }) => ({ server: name, tool })),
  };
}

async function listServer(
  dependencies: McpToolDependencies,
  request: ListRequest,
  name: string,
): Promise<GatewayOffer> {
  const toSilence = (error: string) => ({
    tools: [],
    unavailable: [{ server: name, error }],
    quarantined: [],
  });
  try {
    const server = await findServer(dependencies, request.run, name);
    if (!server) return toSilence('There is no such server.');
    return toOffer(request, server, await listServerTools(dependencies, server, request));
  } catch (error) {
    request.run.signal.throwIfAborted();
    if (!(error instanceof HoldfastError)) throw error;
    return toSilence(error.message);
  }
}

/** Lists the tools of all servers. A server that fails is reported, and the tools of the others are still listed. */
async function collectOffer(
  dependencies: McpToolDependencies,
  run: ToolRun<'mcp'>,
  names: string[],
): Promise<GatewayOffer> {
  const request = {
    run,
    deadline: deadlineOf(run),
    quarantined: await dependencies.pins.listQuarantined(run),
  };
  const offers = await pLimit(concurrency).map(names, (name) => listServer(dependencies, request, name));
  return {
    tools: offers.flatMap(({ tools }) => tools),
    unavailable: offers.flatMap(({ unavailable }) => unavailable),
    quarantined: offers.flatMap(({ quarantined }) => quarantined),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function list(dependencies: McpToolDependencies, run: ToolRun<'mcp'>): Promise<ToolOutcome> {
  const server = textOf(run.arguments.server);
  const names = server === undefined ? serversOf(run) : [server];
  const offer = await collectOffer(dependencies, run, names);
  const wanted = textOf(run.arguments.tool);
  if (wanted !== undefined) return listOne(offer, wanted, server);
  const query = textOf(run.arguments.query);
  const tools = query === undefined ? offer.tools : rankTools(offer.tools, query);
  return { status: 'succeeded', text: toListing({ ...offer, tools }) };
}

/** One tool in full, by its name or its id. */
function listOne(
  { tools, unavailable, quarantined }: GatewayOffer,
  wanted: string,
  server: string | undefined,
): ToolOutcome {
  const isWanted = (call: GatewayCall) => call.tool === wanted || toGatewayId(call) === wanted;
  const found = tools.filter(({ server: name, definition }) =>
    isWanted({ server: name, tool: definition.name }),
  );
  if (found.length > 0) return { status: 'succeeded', text: JSON.stringify(found.map(toListEntry)) };
  const stopped = quarantined.find(isWanted);
  if (stopped) {
    const message = `The tool "${toGatewayId(stopped)}" is quarantined: an operator has to accept what it has become.`;
    return failedResult('TOOL_QUARANTINED', message);
  }
  const [silent] = unavailable;
  if (silent) return failedResult('TOOL_UNAVAILABLE', `The server ${silent.server}: ${silent.error}`);
  if (server !== undefined) return toolNotFound({ server, tool: wanted });
  return failedResult('UNKNOWN_TOOL', `Error: Tool not found: ${wanted}`);
}

async function call(dependencies: McpToolDependencies, run: ToolRun<'mcp'>): Promise<ToolOutcome> {
  const wanted = findGatewayCall(run.arguments);
  if (!wanted) {
    const missing = ['server', 'tool'].filter((name) => run.arguments[name] === undefined);
    const fields = missing.map((field) => ({ field, message: 'is required' }));
    return failedResult('INVALID_TOOL_ARGUMENTS', 'To call a tool, name its "server" and "tool".', fields);
  }
  const found = await findInnerTool(dependencies, run, wanted);
  return 'status' in found ? found : found.send();
}

/** Runs a call of the one tool through which all tools of an agent's servers are listed and called. */
export function runGateway(dependencies: McpToolDependencies, run: ToolRun<'mcp'>): Promise<ToolOutcome> {
  return run.arguments.action === 'call' ? call(dependencies, run) : list(dependencies, run);
}
