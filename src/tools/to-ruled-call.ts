import type { AgentVersion } from '../domain/agent.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { CountedName } from '../domain/rules.ts';
import type { Tool } from '../domain/tool.ts';
import { toInnerToolId } from '../lib/ids.ts';
import type { RuledCall } from '../rules/ruled-call.ts';
import { connectorOf, findGatewayCall, isGateway, mcpTargetOf, toGatewayId } from './mcp/mcp-target.ts';

type ToolBox = Pick<AgentVersion, 'tools' | 'connectors'>;

/** `server:tool` of a tool that is called directly; null for what runs on no server. */
export function toServerId(tool: Tool, { connectors }: Pick<ToolBox, 'connectors'>): string | null {
  if (tool.type !== 'mcp' || tool.config.gateway === true) return null;
  const { connector } = mcpTargetOf(tool, {}, connectors);
  return connector === null ? null : toGatewayId({ server: connector, tool: tool.config.tool ?? tool.name });
}

/** The names that an allowlist may have a tool under that is called directly. */
export function listedNames(tool: Tool, box: Pick<ToolBox, 'connectors'>): string[] {
  const id = toServerId(tool, box);
  if (id === null || tool.type !== 'mcp') return [tool.name];
  return [tool.name, id, toWildcard(mcpTargetOf(tool, {}, box.connectors).connector)];
}

function toWildcard(server: string | null): string {
  return `${server ?? ''}:*`;
}

/**
 * Whether a direct tool may lead where a call through the gateway goes: it names its connection by id and the call by
 * name, so that only the name of the tool can be compared. A policy that holds once too often is better than a way
 * around it.
 */
function mayBeSame(tool: Tool, called: string, { connectors }: Pick<ToolBox, 'connectors'>): boolean {
  if (tool.type !== 'mcp') return false;
  const { provider, connectionId, gateway } = tool.config;
  if (gateway === true || connectionId === undefined) return false;
  if (connectorOf(tool, connectors)) return false;
  const remote = tool.config.tool ?? tool.name;
  return remote === called || `${provider ?? ''}_${remote}` === called;
}

/** A call as the rules of an agent see it: under all its names, whether it goes directly or through the gateway. */
export function toRuledCall(tool: Tool, input: JsonObject, box: ToolBox): RuledCall {
  const call = isGateway(tool) ? findGatewayCall(input) : null;
  if (!call) {
    const id = toServerId(tool, box);
    const names = id === null ? [tool.name] : [tool.name, id];
    const listed = listedNames(tool, box);
    return { name: tool.name, listed, toolIds: [tool.id], subjects: [{ names, arguments: input }] };
  }
  const id = toGatewayId(call);
  const toNames = (other: Tool) => [other.name, toServerId(other, box) ?? other.name];
  const twins = box.tools.filter((other) => toServerId(other, box) === id);
  const related = [...twins, ...box.tools.filter((other) => mayBeSame(other, call.tool, box))];
  const inner = isJsonObject(input.args) ? input.args : {};
  return {
    name: id,
    listed: [id, toWildcard(call.server)],
    toolIds: [tool.id, toInnerToolId(tool.id, id), ...twins.map((twin) => twin.id)],
    subjects: [
      { names: [...new Set([id, call.tool, ...related.flatMap(toNames)])], arguments: inner },
      { names: [tool.name], arguments: input },
    ],
  };
}

/** Which calls are counted together under the name of a policy. */
export function toCountedName(key: string, perDay: boolean, box: ToolBox): CountedName {
  const same = box.tools.filter((tool) => tool.name === key || toServerId(tool, box) === key);
  const ids = same.map((tool) => toServerId(tool, box)).filter((id) => id !== null);
  return { key, perDay, names: [...new Set([key, ...same.map(({ name }) => name)])], targets: [key, ...ids] };
}
