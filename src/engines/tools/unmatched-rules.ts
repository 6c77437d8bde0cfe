import type { FieldError } from '../../domain/errors.ts';
import type { Rules } from '../../domain/rules.ts';
import type { Tool } from '../../domain/tool.ts';
import { findGatewayPlace } from './mcp/mcp-place.ts';
import { isGateway } from './mcp/mcp-target.ts';
import { listedNames } from './to-ruled-call.ts';
import { listServerNames, type ToolBox } from './place.ts';

/** The ids and names of the connections that a toolbox may lead to. */
export function listReferences({ tools, connectors }: ToolBox): { ids: string[]; names: string[] } {
  const mcp = tools.flatMap((tool) => (tool.type === 'mcp' ? [tool.config] : []));
  return {
    ids: [...connectors, ...mcp].flatMap(({ connectionId }) => connectionId ?? []),
    names: mcp.flatMap(({ servers = [] }) => servers),
  };
}

/** A policy or an entry of the allowlist that matches no tool. */
export interface UnmatchedRule extends FieldError {
  /** The name that matches nothing. */
  name: string;
}

/**
 * Lists the keys of policies and the entries of the allowlist that match no tool of an agent. A name without a server may
 * be that of a tool behind its gateway, or of a turn below: those are not known here, so it is not listed.
 */
export function findUnmatchedRules(
  { toolPolicies, toolAllowlist = [] }: Rules,
  box: ToolBox,
): UnmatchedRule[] {
  const names = new Set(box.tools.flatMap((tool) => listedNames(tool, box)));
  const servers = new Set(box.tools.filter(isGateway).flatMap((tool) => listGatewayServers(tool, box)));
  const reachesMore = box.tools.some((tool) => isGateway(tool) || tool.type === 'agent');
  const isMatched = (name: string) => {
    const colon = name.indexOf(':');
    return names.has(name) || (colon < 0 ? reachesMore : servers.has(name.slice(0, colon)));
  };
  return [
    ...Object.keys(toolPolicies).map((name) => ({ field: `rules.toolPolicies.${name}`, name })),
    ...toolAllowlist.map((name, index) => ({ field: `rules.toolAllowlist.${index}`, name })),
  ].flatMap(({ field, name }) => (isMatched(name) ? [] : [{ field, name, message: toMessage(name) }]));
}

function listGatewayServers(gateway: Tool, box: ToolBox): string[] {
  const own = gateway.type === 'mcp' ? gateway.config.servers : undefined;
  return (own ?? box.connectors.map(({ name }) => name)).flatMap((server) => [
    server,
    ...listServerNames(findGatewayPlace({ server, tool: '' }, box), box),
  ]);
}

function toMessage(name: string): string {
  return `the agent has no tool "${name}": this rule will hold once it gets one`;
}
