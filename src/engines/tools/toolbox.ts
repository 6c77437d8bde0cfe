import type { AgentVersion } from '../../domain/agent.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { CountedName, NamedConnection } from '../../domain/rules.ts';
import type { Place, ResolvedTool, Tool, Toolbox } from '../../domain/tool.ts';
import { toInnerToolId } from '../../platform/lib/ids.ts';
import type { RuledCall } from '../rules/ruled-call.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import {
  findGatewayCall,
  isGateway,
  isSamePlace,
  remoteNameOf,
  toConnectionPlace,
  toGatewayId,
  toServerPlace,
  type GatewayCall,
} from './mcp/mcp-target.ts';

/** The connectors and connections that tools are resolved with. */
type Servers = Pick<Toolbox, 'connectors' | 'connections'>;

/** The toolbox of each list of tools without names of connections: versions do not change, and their copies share it. */
const toolboxes = new WeakMap<readonly Tool[], Toolbox>();

/**
 * Returns the tools of an agent version, resolved. The names of connections may change, so that each use gives them.
 * @param connections those that a call may lead to, where rules may name them
 */
export function toolboxOf(
  { tools, connectors }: Pick<AgentVersion, 'tools' | 'connectors'>,
  connections: readonly NamedConnection[] = [],
): Toolbox {
  let plain = toolboxes.get(tools);
  if (plain?.connectors !== connectors) {
    const servers = { connectors, connections: [] };
    plain = { ...servers, tools: tools.map((tool) => resolveTool(tool, servers)) };
    toolboxes.set(tools, plain);
  }
  if (connections.length === 0) return plain;
  const named = { connectors, connections };
  const resolve = (one: ResolvedTool) =>
    findConnection(one.place, named) ? resolveTool(one.tool, named) : one;
  return { ...named, tools: plain.tools.map(resolve) };
}

/** Resolves a tool, which may be none of the toolbox: routines call tools that their agent does not have. */
export function resolveTool(tool: Tool, servers: Servers, find: FindToolType = findToolType): ResolvedTool {
  const type = find(tool.type);
  const place = type?.place(tool, servers.connectors) ?? null;
  const server = type?.server?.(tool, servers.connectors) ?? null;
  const id = server === null ? null : toGatewayId({ server, tool: remoteNameOf(tool) });
  const ids = listUnique([...(id === null ? [] : [id]), ...listIds(place, servers)]);
  const names = listUnique([...(server === null ? [] : [server]), ...listServerNames(place, servers)]);
  const listed = [tool.name, ...ids, ...names.map((name) => `${name}:*`)];
  return { tool, isGateway: isGateway(tool), server, place, id, ids, listed };
}

/** A call of a tool, as the rules of its agent see it: under all its names, directly or through the gateway. */
export interface ResolvedCall extends RuledCall {
  place: Place | null;
  /** The name of the connector, server or provider that answers; null for what runs here. */
  connector: string | null;
  /** `server:tool` for a call through the gateway; otherwise null. */
  target: string | null;
}

/** Resolves a call by its tool and its arguments alone: no server is asked. */
export function resolveCall(tool: Tool, input: JsonObject, box: Toolbox): ResolvedCall {
  const called = box.tools.find((one) => one.tool === tool) ?? resolveTool(tool, box);
  const { name, id: toolId } = tool;
  const { place, ids: aliases, listed } = called;
  const subject = { names: [name, ...aliases], arguments: input };
  const call = called.isGateway ? findGatewayCall(input) : null;
  if (call) return resolveInner(call, { toolId, input, subject, box });
  const connector = called.isGateway && typeof input.server === 'string' ? input.server : called.server;
  return { name, place, connector, target: null, listed, toolIds: [toolId], aliases, subjects: [subject] };
}

interface GatewayUse {
  toolId: string;
  input: JsonObject;
  subject: RuledCall['subjects'][number];
  box: Toolbox;
}

/** The agent's own tools that lead to the same place give a call through the gateway their names and rules. */
function resolveInner(call: GatewayCall, { toolId, input, subject, box }: GatewayUse): ResolvedCall {
  const target = toGatewayId(call);
  const place = findGatewayPlace(call, box);
  const twins = box.tools.filter((one) => one.id === target || isSamePlace(one.place, place));
  const aliases = listUnique([target, ...listIds(place, box), ...twins.flatMap(listNames)]);
  const names = listUnique([call.tool, ...aliases]);
  return {
    ...{ name: target, place, connector: call.server, target, aliases },
    listed: [target, `${call.server}:*`],
    toolIds: [toolId, toInnerToolId(toolId, target), ...twins.map(({ tool }) => tool.id)],
    subjects: [{ names, arguments: isJsonObject(input.args) ? input.args : {} }, subject],
  };
}

/**
 * Returns a call as the rules of an agent see it whose turn is above: under its own names, and under those that the agent
 * above has for the same place.
 */
export function toRuledCallAbove(call: ResolvedCall, above: Toolbox): RuledCall {
  const twins = above.tools.filter(({ place }) => isSamePlace(place, call.place));
  const names = twins.flatMap(listNames);
  // A list above means its own tool of that name, where it has one.
  const isOther = above.tools.some((other) => other.tool.name === call.name && !twins.includes(other));
  const own =
    isOther && call.target === null ? call.listed.filter((name) => name !== call.name) : call.listed;
  const [subject, ...others] = call.subjects;
  return {
    name: call.name,
    toolIds: [],
    listed: [...own, ...names],
    aliases: [...call.aliases, ...names],
    subjects: subject ? [{ ...subject, names: listUnique([...subject.names, ...names]) }, ...others] : [],
  };
}

/** Returns which calls are counted together under the name of a policy; `aliases` are those of a call that it holds for. */
export function toCountedName(
  key: string,
  perDay: boolean,
  { tools, aliases = [] }: Pick<Toolbox, 'tools'> & { aliases?: string[] },
): CountedName {
  const same = tools.filter((one) => listNames(one).includes(key));
  const names = listUnique([key, ...same.map(({ tool }) => tool.name), ...aliases]);
  return { key, perDay, names, targets: listUnique([key, ...same.flatMap(({ ids }) => ids), ...aliases]) };
}

/** Lists the ids of the connections that tools lead to. */
export function listConnectionIds({ tools }: Pick<Toolbox, 'tools'>): string[] {
  return listUnique(tools.flatMap(({ place }) => (place?.type === 'connection' ? [place.id] : [])));
}

/** Finds the place of a call through the gateway. A name that no connector or connection has is a server's. */
export function findGatewayPlace({ server, tool }: GatewayCall, { connectors, connections }: Servers): Place {
  const connector = connectors.find(({ name }) => name === server);
  if (connector) return toConnectionPlace(tool, { id: connector.connectionId });
  const connection = connections.find(({ name }) => name === server);
  return connection ? toConnectionPlace(tool, connection) : toServerPlace(tool, server);
}

/** Lists the names of the server of a place, as rules may write them; none for what runs on no server. */
export function listServerNames(place: Place | null, { connectors, connections }: Servers): string[] {
  if (place?.type === 'server') return [place.id];
  if (place?.type !== 'connection') return [];
  const own = connectors.filter(({ connectionId }) => connectionId.toLowerCase() === place.id);
  const names = own.length === 0 ? [place.id] : own.map(({ name }) => name);
  const connection = findConnection(place, { connections });
  // A connector of the agent keeps its name, also when another connection has it.
  if (connection && connectors.every(({ name }) => name !== connection.name)) names.push(connection.name);
  if (connection && connection.provider !== 'mcp') names.push(connection.provider);
  return listUnique(names);
}

function findConnection(place: Place | null, { connections }: Pick<Toolbox, 'connections'>) {
  return place?.type === 'connection' ? connections.find(({ id }) => id === place.id) : undefined;
}

/** All names `server:tool` of a place. */
function listIds(place: Place | null, servers: Servers): string[] {
  return listServerNames(place, servers).flatMap((server) =>
    (place?.tools ?? []).map((tool) => toGatewayId({ server, tool })),
  );
}

function listNames({ tool, ids }: ResolvedTool): string[] {
  return [tool.name, ...ids];
}

function listUnique(names: string[]): string[] {
  return [...new Set(names)];
}
