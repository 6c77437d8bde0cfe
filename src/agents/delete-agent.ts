import { createAgentRepository } from '../db/agents/agent-repository.ts';
import type { Principal } from '../domain/api-key.ts';
import { recordConfigured } from './agent-audit.ts';
import type { AgentDependencies } from './agent-dependencies.ts';

/**
 * Deletes an agent. Its conversations and turns can still be read.
 * @throws HoldfastError `NOT_FOUND`
 */
export function deleteAgent(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  { agentId }: { agentId: string },
): Promise<void> {
  return database.inWorkspace(workspaceId, async (trx) => {
    await createAgentRepository(trx).deleteAgent(agentId);
    await recordConfigured(trx, agentId, { deleted: true });
  });
}
