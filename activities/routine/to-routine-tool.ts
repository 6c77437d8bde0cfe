import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { createRoutineError } from '../../src/domain/routine-error.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { RoutineCallInput } from '../../workflows/contract/routine-steps.ts';

/** The tool of a call and its arguments; the tool is null when the agent has none of that name. */
export interface RoutineTool {
  tool: Tool | null;
  name: string;
  arguments: JsonObject;
}

/** The functions of Holdfast that a routine may call whether or not its agent has a tool for them. */
const ownFunctions = new Set(['http_request', 'ask_user', 'calculate', 'current_time']);

const anyArguments = { type: 'object' };

/**
 * Finds the tool of a call among those of the agent; `http` is a request of the standard, and `agent` asks another agent.
 * The rules of the agent hold for these under the names of their tools.
 */
export function toRoutineTool(
  { call, arguments: given }: Pick<RoutineCallInput, 'call' | 'arguments'>,
  tools: Tool[],
): RoutineTool {
  if (call === 'http') return withOwn('http_request', toRequest(given), tools);
  const tool = tools.find(({ name }) => name === call);
  if (tool) return { tool, name: call, arguments: given };
  if (call === 'agent') return toAgentCall(given);
  return withOwn(call, given, tools);
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

function toRequest(given: JsonObject): JsonObject {
  const { method, endpoint, headers, body, query } = given;
  const uri = isJsonObject(endpoint) ? endpoint.uri : endpoint;
  if (typeof method !== 'string' || typeof uri !== 'string')
    throw createRoutineError('configuration', 'an HTTP call needs "method" and "endpoint"');
  const url = URL.parse(uri);
  if (!url) throw createRoutineError('configuration', `"${uri}" is not an absolute URL`);
  for (const [name, value] of Object.entries(isJsonObject(query) ? query : {}))
    url.searchParams.set(name, toText(value));
  return {
    method: method.toUpperCase(),
    url: url.href,
    ...toContent(isJsonObject(headers) ? headers : {}, body),
  };
}

function toContent(headers: JsonObject, body: JsonValue | undefined): JsonObject {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toText(value)]));
  if (body === undefined) return Object.keys(texts).length > 0 ? { headers: texts } : {};
  const isTyped = Object.keys(texts).some((name) => name.toLowerCase() === 'content-type');
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return {
    headers: { ...(isTyped ? {} : { 'content-type': type }), ...texts },
    body: toText(body),
  };
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
