import { createHash } from 'node:crypto';
import type { AgentVersion } from '../../../domain/agent.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import type { Tool } from '../../../domain/tool.ts';
import type { ReadOpenApi } from '../../../engines/tools/openapi/read-document.ts';
import type { RoutineCallInput } from '../routine-contract.ts';
import { toHttpCall, type HttpCall } from './to-http-call.ts';
import { readEndpoint, toOpenApiCall } from './to-openapi-call.ts';

/** The tool of a call and its arguments; the tool is null when the agent has none of that name. */
export interface RoutineTool {
  tool: Tool | null;
  name: string;
  arguments: JsonObject;
}

/** The functions of Holdfast that a routine may call whether or not its agent has a tool for them. */
const ownFunctions = new Set(['http_request', 'ask_user', 'calculate', 'current_time']);

const anyArguments = { type: 'object' };

/** The parts with which the tool of a call is found. */
interface ToolSources {
  version: Pick<AgentVersion, 'tools' | 'model' | 'modelConnectionId'>;
  /** Whether the rules that hold in the run let it call a tool. */
  mayCall: (asked: RoutineTool) => Promise<boolean>;
  readOpenApi: ReadOpenApi;
  signal: AbortSignal;
}

/**
 * Finds the tool of a call among those of the agent; `http` and `openapi` are requests of the standard, `agent` asks
 * another agent, and `model` a model. The rules of the run hold for these under the names of their tools.
 */
export async function toRoutineTool(
  input: Pick<RoutineCallInput, 'workspaceId' | 'call' | 'arguments' | 'secrets'>,
  { version, mayCall, ...sources }: ToolSources,
): Promise<RoutineTool> {
  const { call, arguments: given } = input;
  const { tools } = version;
  if (call === 'http') return withCredentials(toHttpCall(input), tools);
  if (call === 'openapi') {
    // The ledger refuses and records the call: a run that may send no requests reads no document either.
    const asking = toRequestTool({ method: 'GET', url: readEndpoint(given.document).url }, tools);
    if (!(await mayCall(asking))) return asking;
    return withCredentials(await toOpenApiCall(input, sources), tools);
  }
  const tool = tools.find(({ name }) => name === call);
  if (tool) return { tool, name: call, arguments: given };
  if (call === 'agent') return toAgentCall(given);
  if (call === 'model') return toModelCall(given, version);
  return withOwn(call, given, tools);
}

/** Returns the tool for requests, without a request. */
export function toRequestTool(given: JsonObject, tools: Tool[]): RoutineTool {
  return withOwn('http_request', given, tools);
}

/** The credentials are in the tool of the call: arguments are shown to people and to the audit. */
function withCredentials({ arguments: given, credentials }: HttpCall, tools: Tool[]): RoutineTool {
  const found = toRequestTool(given, tools);
  const { secrets, ...authentication } = credentials;
  const isPlain = Object.keys(secrets).length === 0 && Object.keys(authentication).length === 0;
  if (isPlain || found.tool?.type !== 'function') return found;
  return { ...found, tool: { ...found.tool, config: { ...found.tool.config, request: credentials } } };
}

function withOwn(name: string, given: JsonObject, tools: Tool[]): RoutineTool {
  const tool = tools.find((one) => one.type === 'function' && (one.config.functionName ?? one.name) === name);
  if (tool) return { tool, name: tool.name, arguments: given };
  if (!ownFunctions.has(name)) return { tool: null, name, arguments: given };
  const own: Tool = {
    ...{ id: toNamedId(name), type: 'function', name, description: 'A call of a routine.' },
    ...{ schema: anyArguments, config: { functionName: name } },
  };
  return { tool: own, name, arguments: given };
}

function toAgentCall(given: JsonObject): RoutineTool {
  const { agentId, message, inheritRules } = given;
  if (typeof agentId !== 'string' || typeof message !== 'string')
    throw createRoutineError('configuration', 'a call of an agent needs "agentId" and "message"');
  const config = { agentId, ...(typeof inheritRules === 'boolean' ? { inheritRules } : {}) };
  const tool: Tool = {
    ...{ id: toNamedId(`agent ${agentId}`), type: 'agent', name: 'agent', description: 'Another agent.' },
    ...{ schema: anyArguments, config },
  };
  return { tool, name: 'agent', arguments: { message } };
}

/** The model is that of the agent, whose key it is called with, unless the call names another one. */
function toModelCall(
  { model = null, ...given }: JsonObject,
  version: Pick<AgentVersion, 'model' | 'modelConnectionId'>,
): RoutineTool {
  if (model !== null && typeof model !== 'string')
    throw createRoutineError('configuration', 'the "model" of a call is the name of one');
  const isOwn = model === null || model === version.model;
  const { modelConnectionId } = version;
  const key = isOwn && modelConnectionId !== null ? { connectionId: modelConnectionId } : {};
  const tool: Tool = {
    ...{ id: toNamedId('model'), type: 'function', name: 'model', description: 'A model.' },
    ...{
      schema: anyArguments,
      config: { functionName: 'routine:model', model: model ?? version.model, ...key },
    },
  };
  return { tool, name: 'model', arguments: given };
}

/** The same id for the same tool, so that remembered approvals find it. */
function toNamedId(name: string): string {
  const hash = createHash('sha256').update(`routine tool ${name}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
