import type { AgentVersion } from '../../domain/agent.ts';
import type { FieldError } from '../../domain/errors.ts';
import type { NamedConnection, Rules } from '../../domain/rules.ts';
import type { ResolvedTool, Toolbox } from '../../domain/tool.ts';
import { findGatewayPlace, listConnectionIds, listServerNames, toolboxOf } from './toolbox.ts';

/** The ids and names of the connections that the tools of an agent may lead to. */
export function listReferences(version: Pick<AgentVersion, 'tools' | 'connectors'>): {
  ids: string[];
  names: string[];
} {
  return {
    ids: [
      ...version.connectors.map(({ connectionId }) => connectionId),
      ...listConnectionIds(toolboxOf(version)),
    ],
    names: version.tools.flatMap((tool) => (tool.type === 'mcp' ? (tool.config.servers ?? []) : [])),
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
  version: Pick<AgentVersion, 'tools' | 'connectors'>,
  connections: NamedConnection[] = [],
): UnmatchedRule[] {
  const box = toolboxOf(version, connections);
  const gateways = box.tools.filter(({ isGateway }) => isGateway);
  const names = new Set(box.tools.flatMap(({ listed }) => listed));
  const servers = new Set(gateways.flatMap((gateway) => listGatewayServers(gateway, box)));
  const reachesMore = gateways.length > 0 || version.tools.some(({ type }) => type === 'agent');
  const isMatched = (name: string) => {
    const colon = name.indexOf(':');
    return names.has(name) || (colon < 0 ? reachesMore : servers.has(name.slice(0, colon)));
  };
  return [
    ...Object.keys(toolPolicies).map((name) => ({ field: `rules.toolPolicies.${name}`, name })),
    ...toolAllowlist.map((name, index) => ({ field: `rules.toolAllowlist.${index}`, name })),
  ].flatMap(({ field, name }) => (isMatched(name) ? [] : [{ field, name, message: toMessage(name) }]));
}

function listGatewayServers({ tool }: ResolvedTool, box: Toolbox): string[] {
  const own = tool.type === 'mcp' ? tool.config.servers : undefined;
  return (own ?? box.connectors.map(({ name }) => name)).flatMap((server) => [
    server,
    ...listServerNames(findGatewayPlace({ server, tool: '' }, box), box),
  ]);
}

function toMessage(name: string): string {
  return `the agent has no tool "${name}": this rule will hold once it gets one`;
}
