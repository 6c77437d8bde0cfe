import { createAgentRepository } from './agent-repository.ts';
import type { Page, PageRequest } from '../../platform/database/page.ts';
import type { Agent, AgentVersion } from '../../domain/agent.ts';
import type { Actor } from '../../domain/actor.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { toShownAgent } from './connectors/shown-connectors.ts';
import { withStoredWarnings } from './with-warnings.ts';

type ReadDependencies = Pick<AgentDependencies, 'database'>;
type Reader = Pick<Actor, 'workspaceId' | 'scopes'>;

/** Lists agents, newest first. */
export async function listAgents(
  { database }: ReadDependencies,
  reader: Reader,
  page: PageRequest,
): Promise<Page<Agent>> {
  const { items, nextCursor } = await database.inWorkspace(reader.workspaceId, (trx) =>
    createAgentRepository(trx).listAgents(page),
  );
  return { items: items.map((agent) => toShownAgent(reader, agent)), nextCursor };
}

/** Reads an agent with warnings about it. @throws HoldfastError `NOT_FOUND` */
export async function getAgent(
  dependencies: ReadDependencies & Pick<AgentDependencies, 'findModelWarning'>,
  reader: Reader,
  agentId: string,
): Promise<Agent> {
  const agent = await dependencies.database.inWorkspace(reader.workspaceId, (trx) =>
    createAgentRepository(trx).getAgent(agentId),
  );
  return toShownAgent(reader, withStoredWarnings(dependencies, agent));
}

/** Lists the versions of an agent, newest first; also of a deleted one. @throws HoldfastError `NOT_FOUND` */
export async function listAgentVersions(
  { database }: ReadDependencies,
  reader: Reader,
  page: PageRequest & { agentId: string },
): Promise<Page<AgentVersion>> {
  const { items, nextCursor } = await database.inWorkspace(reader.workspaceId, (trx) =>
    createAgentRepository(trx).listVersions(page),
  );
  return { items: items.map((version) => toShownAgent(reader, version)), nextCursor };
}

/** Reads a version of an agent. @throws HoldfastError `NOT_FOUND` */
export async function getAgentVersion(
  { database }: ReadDependencies,
  reader: Reader,
  { agentId, version }: { agentId: string; version: number },
): Promise<AgentVersion> {
  const found = await database.inWorkspace(reader.workspaceId, (trx) =>
    createAgentRepository(trx).getVersion(agentId, version),
  );
  return toShownAgent(reader, found);
}
