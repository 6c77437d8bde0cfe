import type { AgentVersion } from '../src/domain/agent.ts';
import type { NamedConnection, RuleSource } from '../src/domain/rules.ts';
import type { RulePort } from './step-dependencies.ts';

/** The version of an agent whose turn is above, with the turn. */
export interface VersionAbove extends RuleSource {
  version: AgentVersion;
}

/** Reads the versions of the agents whose turns are above, outermost first. */
export function readVersionsAbove(
  { getVersion }: Pick<RulePort, 'getVersion'>,
  workspaceId: string,
  sources: RuleSource[],
): Promise<VersionAbove[]> {
  return Promise.all(
    sources.map(async (source) => ({ ...source, version: await getVersion(workspaceId, source.versionId) })),
  );
}

/** Reads the names of the connections that some ids or names of servers stand for. */
export async function readNamed(
  { pipelined }: Pick<RulePort, 'pipelined'>,
  workspaceId: string,
  request: { ids: string[]; names: string[] },
): Promise<NamedConnection[]> {
  if (request.ids.length + request.names.length === 0) return [];
  return pipelined(workspaceId, ({ context }) => context.listNamed(request));
}

/** Returns whether the rules of an agent may name the tool of a server. */
export function namesServers({ rules }: Pick<AgentVersion, 'rules'>): boolean {
  return [...Object.keys(rules.toolPolicies), ...(rules.toolAllowlist ?? [])].some((name) =>
    name.includes(':'),
  );
}
