import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createNotifier } from '../../platform/database/wakeups.ts';
import { createWorkspaceRepository } from './workspace-repository.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import type { WorkspaceDependencies } from './workspace-dependencies.ts';

const longestDays = 36_500;

/**
 * Deletes a workspace: revokes its API keys, and asks its turns to stop. Its rows are removed afterwards; its audit log
 * stays. Returns the number of turns that have yet to stop.
 */
export async function deleteWorkspace(
  { database }: WorkspaceDependencies,
  workspaceId: string,
): Promise<{ turns: number }> {
  const turns = await database.system.transaction(async (trx) => {
    const stopped = await createWorkspaceRepository(trx).deleteWorkspace(workspaceId);
    await createAuditLog(trx).record({
      workspaceId,
      type: 'workspace.deleted',
      subjectId: workspaceId,
      payload: {},
    });
    return stopped;
  });
  // A step that is not notified continues until its workflow reads the stored request.
  const notifier = createNotifier({ database, onError: () => undefined });
  for (const turnId of turns) notifier.stop(turnId);
  await notifier.flush();
  return { turns: turns.length };
}

/** Sets the age at which the turns of a workspace are removed. @throws HoldfastError `INVALID_INPUT` */
export async function setRetention(
  { database }: WorkspaceDependencies,
  workspaceId: string,
  days: string,
): Promise<void> {
  const isNumber = /^[1-9]\d{0,4}$/.test(days) && Number(days) <= longestDays;
  if (!isNumber && days !== 'default') {
    const message = `expected a number of days from 1 to ${longestDays}, or "default"; found "${days}"`;
    throw createInvalidInput([{ field: 'days', message }]);
  }
  await createWorkspaceRepository(database.system).setRetention(workspaceId, isNumber ? Number(days) : null);
}
