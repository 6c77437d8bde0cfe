import { createAgentRepository } from './agent-repository.ts';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { Actor } from '../../domain/actor.ts';
import { recordConfigured } from './agent-audit.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { refuseOtherVersion } from './configuration/refuse-other-version.ts';

/** The agent to delete, and whether its conversations go with it. */
interface AgentDeletion {
  agentId: string;
  permanent: boolean;
  /** The version that the caller has seen; an agent with another one is not deleted. @default any */
  expectedVersion?: number | undefined;
}

/**
 * Deletes an agent. Its conversations and turns can still be read, unless it is deleted for good.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when `expectedVersion` is not the present version; for good also `TURN_RUNNING` while one of its turns runs or waits
 */
export function deleteAgent(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId, permanent, expectedVersion }: AgentDeletion,
): Promise<void> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const agents = createAgentRepository(trx);
    if (expectedVersion !== undefined)
      refuseOtherVersion(agentId, await agents.lockVersion(agentId), expectedVersion);
    if (permanent) {
      await agents.eraseAgent(agentId);
      await createAuditLog(trx).record({ type: 'agent.deleted', subjectId: agentId, payload: {} });
      return;
    }
    await agents.deleteAgent(agentId);
    await recordConfigured(trx, agentId, { deleted: true });
  });
}
