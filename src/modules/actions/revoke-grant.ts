import { createGrantRepository } from './grant-repository.ts';
import type { ApprovalGrant } from './approval-grant.ts';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ActionDependencies } from './action-dependencies.ts';

/**
 * Ends a remembered approval: later calls ask again. A call that it has approved already still runs.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function revokeGrant(
  { database }: Pick<ActionDependencies, 'database'>,
  { workspaceId, ...revokedBy }: ActorRef & { workspaceId: string },
  id: string,
): Promise<ApprovalGrant> {
  const grant = await database.pipelined(workspaceId, (query) =>
    createGrantRepository(query).revoke(id, revokedBy),
  );
  if (!grant) throw new HoldfastError('NOT_FOUND', `There is no remembered approval ${id}.`);
  return grant;
}
