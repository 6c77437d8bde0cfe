import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { CountedName } from '../../domain/rules.ts';
import type { Tool } from '../../domain/tool.ts';
import { toInnerToolId } from '../../platform/lib/ids.ts';
import type { RuledCall } from '../rules/ruled-call.ts';
import {
  connectorOf,
  findGatewayCall,
  isGateway,
  mcpTargetOf,
  toGatewayId,
  type GatewayCall,
} from './mcp/mcp-target.ts';
import { findGatewayPlace, listIds } from './mcp/mcp-place.ts';
import { isSamePlace, listServerNames, type ToolBox } from './place.ts';
import { findPlace } from './tool-place.ts';

/** `server:tool` of a tool that is called directly; null for what runs on no server. */
export function toServerId(tool: Tool, { connectors }: Pick<ToolBox, 'connectors'>): string | null {
  if (tool.type !== 'mcp' || tool.config.gateway === true) return null;
  const { connector } = mcpTargetOf(tool, {}, connectors);
  return connector === null ? null : toGatewayId({ server: connector, tool: tool.config.tool ?? tool.name });
}

/** All names `server:tool` of a tool that is called directly. */
function listServerIds(tool: Tool, box: ToolBox): string[] {
  const id = toServerId(tool, box);
  return [...new Set([...(id === null ? [] : [id]), ...listIds(findPlace(tool, box), box)])];
}

/** The names that an allowlist may have a tool under that is called directly. */
export function listedNames(tool: Tool, box: ToolBox): string[] {
  const server = tool.type === 'mcp' ? mcpTargetOf(tool, {}, box.connectors).connector : null;
  const servers = [...(server === null ? [] : [server]), ...listServerNames(findPlace(tool, box), box)];
  return [tool.name, ...listServerIds(tool, box), ...new Set(servers.map((name) => `${name}:*`))];
}

/**
 * Whether a direct tool may have the target of a call through the gateway, when the names of connections were not read:
 * then only the name of the tool can be compared. A policy may then hold once too often, but cannot be evaded.
 */
function mayBeSame(tool: Tool, called: string, { connectors, connections }: ToolBox): boolean {
  if (tool.type !== 'mcp' || connections) return false;
  const { provider, connectionId, gateway } = tool.config;
  if (gateway === true || connectionId === undefined) return false;
  if (connectorOf(tool, connectors)) return false;
  const remote = tool.config.tool ?? tool.name;
  return remote === called || `${provider ?? ''}_${remote}` === called;
}

/** A call as the rules of an agent see it: under all its names, whether it goes directly or through the gateway. */
export function toRuledCall(tool: Tool, input: JsonObject, box: ToolBox): RuledCall {
  const call = isGateway(tool) ? findGatewayCall(input) : null;
  if (call) return toRuledGatewayCall(tool, input, { call, box });
  const aliases = listServerIds(tool, box);
  const subjects = [{ names: [tool.name, ...aliases], arguments: input }];
  return { name: tool.name, listed: listedNames(tool, box), toolIds: [tool.id], aliases, subjects };
}

function toRuledGatewayCall(
  tool: Tool,
  input: JsonObject,
  { call, box }: { call: GatewayCall; box: ToolBox },
): RuledCall {
  const id = toGatewayId(call);
  const place = findGatewayPlace(call, box);
  const twins = box.tools.filter(
    (other) => toServerId(other, box) === id || isSamePlace(findPlace(other, box), place),
  );
  const related = [...twins, ...box.tools.filter((other) => mayBeSame(other, call.tool, box))];
  const toNames = (other: Tool) => [other.name, ...listServerIds(other, box)];
  const aliases = [...new Set([id, ...listIds(place, box), ...related.flatMap(toNames)])];
  const inner = isJsonObject(input.args) ? input.args : {};
  return {
    name: id,
    listed: [id, `${call.server}:*`],
    toolIds: [tool.id, toInnerToolId(tool.id, id), ...twins.map((twin) => twin.id)],
    aliases,
    subjects: [
      { names: [...new Set([call.tool, ...aliases])], arguments: inner },
      { names: [tool.name], arguments: input },
    ],
  };
}

interface CalledTool {
  tool: Tool;
  input: JsonObject;
  box: ToolBox;
}

/**
 * A call as the rules of an agent see it whose turn is above: under its own names, and under those that the agent above
 * has for the same place.
 */
export function toRuledCallAbove({ tool, input, box }: CalledTool, above: ToolBox): RuledCall {
  const call = isGateway(tool) ? findGatewayCall(input) : null;
  const own = toRuledCall(tool, input, box);
  const place = call ? findGatewayPlace(call, box) : findPlace(tool, box);
  const twins = above.tools.filter((other) => isSamePlace(findPlace(other, above), place));
  const names = twins.flatMap((twin) => [twin.name, ...listServerIds(twin, above)]);
  const isOther = above.tools.some((other) => other.name === tool.name && !twins.includes(other));
  const [subject, ...others] = own.subjects;
  return {
    ...own,
    toolIds: [],
    // A list above means its own tool of that name, where it has one.
    listed: [...own.listed.filter((name) => call !== null || name !== tool.name || !isOther), ...names],
    aliases: [...own.aliases, ...names],
    subjects: subject ? [{ ...subject, names: [...new Set([...subject.names, ...names])] }, ...others] : [],
  };
}

/** Which calls are counted together under the name of a policy; `aliases` are those of a call that it holds for. */
export function toCountedName(
  key: string,
  perDay: boolean,
  { aliases = [], ...box }: ToolBox & { aliases?: string[] },
): CountedName {
  const same = box.tools.filter((tool) => tool.name === key || listServerIds(tool, box).includes(key));
  const ids = same.flatMap((tool) => listServerIds(tool, box));
  return {
    key,
    perDay,
    names: [...new Set([key, ...same.map(({ name }) => name), ...aliases])],
    targets: [...new Set([key, ...ids, ...aliases])],
  };
}
