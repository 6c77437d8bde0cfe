import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createRecordRemovalRepository } from './record-removal-repository.ts';
import { createRemovalQueue, type WorkspaceRetention } from './removal-queue.ts';
import { createTurnRemovalRepository } from './turn-removal-repository.ts';
import {
  inBatches,
  rowsPerBatch,
  turnsPerBatch,
  type MayContinue,
  type RemovalDependencies,
} from './removal.ts';

const dayMs = 24 * 60 * 60 * 1000;
const filesPerBatch = 50;
/** Each takes its subtasks, turns and blackboard with it. */
const swarmsPerBatch = 10;

/** The numbers of rows that one transaction has removed, by what they were. */
type Removed = Record<string, number>;

/**
 * Removes the turns of all workspaces that are older than the retention setting, with their messages, tool calls, events,
 * usage and files, then conversations that are left without turns, counts of tool calls, costs of calls, remembered approvals
 * that have ended, deliveries to webhooks and triggers, replays, swarms, and files that nothing has.
 * Each transaction writes what it has removed to the audit log, whose own events stay.
 */
export async function removeOldRecords(
  dependencies: RemovalDependencies,
  mayContinue: MayContinue,
): Promise<{ turns: number; conversations: number }> {
  const total = { turns: 0, conversations: 0 };
  const retentions = await createRemovalQueue(dependencies.database.system).listRetentions(
    dependencies.retentionDays,
  );
  for (const retention of retentions) {
    if (!mayContinue()) break;
    try {
      const { turns, conversations } = await removeOfWorkspace(dependencies, retention, mayContinue);
      total.turns += turns;
      total.conversations += conversations;
    } catch (error) {
      const { workspaceId } = retention;
      dependencies.logger.warn(
        { err: error, workspaceId },
        'the old rows of a workspace could not be removed',
      );
    }
  }
  return total;
}

async function removeOfWorkspace(
  { database }: RemovalDependencies,
  { workspaceId, days }: WorkspaceRetention,
  mayContinue: MayContinue,
) {
  const before = new Date(Date.now() - days * dayMs);
  const total = { turns: 0, conversations: 0 };
  const ofRecords =
    (kind: string, remove: (records: Records) => Promise<number>): Remove =>
    async ({ records }) => ({ [kind]: await remove(records) });
  const steps: [size: number, remove: Remove][] = [
    [turnsPerBatch, ({ turns }) => removeTurns(turns, before)],
    [turnsPerBatch, ({ turns }) => removeUnused(turns, before)],
    [rowsPerBatch, ofRecords('counts', (rows) => rows.removeCounts(before, rowsPerBatch))],
    [rowsPerBatch, ofRecords('credits', (rows) => rows.removeCredits(before, rowsPerBatch))],
    [rowsPerBatch, ofRecords('approval_grants', (rows) => rows.removeGrants(before, rowsPerBatch))],
    [rowsPerBatch, ofRecords('deliveries', (rows) => rows.removeDeliveries(before, rowsPerBatch))],
    [
      rowsPerBatch,
      ofRecords('trigger_deliveries', (rows) => rows.removeTriggerDeliveries(before, rowsPerBatch)),
    ],
    [rowsPerBatch, ofRecords('messages', (rows) => rows.removeMessages(before, rowsPerBatch))],
    [rowsPerBatch, ofRecords('replays', (rows) => rows.removeReplays(before, rowsPerBatch))],
    [rowsPerBatch, ofRecords('routine_runs', (rows) => rows.removeRoutineRuns(before, rowsPerBatch))],
    [swarmsPerBatch, ofRecords('swarms', (rows) => rows.removeSwarms(before, swarmsPerBatch))],
    [filesPerBatch, ofRecords('files', (rows) => rows.removeFiles(before, filesPerBatch))],
  ];
  for (const [size, remove] of steps) {
    await inBatches(mayContinue, size, async () => {
      const removed = await database.inWorkspace(workspaceId, async (trx) => {
        const counts = await remove({
          turns: createTurnRemovalRepository(trx),
          records: createRecordRemovalRepository(trx),
        });
        if (Object.values(counts).some((count) => count > 0)) {
          const payload = { before: before.toISOString(), removed: counts };
          await createAuditLog(trx).record({ type: 'retention.applied', subjectId: null, payload });
        }
        return counts;
      });
      total.turns += removed.turns ?? 0;
      total.conversations += removed.conversations ?? 0;
      return Math.max(...Object.values(removed));
    });
  }
  return total;
}

type Turns = ReturnType<typeof createTurnRemovalRepository>;
type Records = ReturnType<typeof createRecordRemovalRepository>;

/** Removes one batch, and returns how many rows of each kind. */
type Remove = (rows: { turns: Turns; records: Records }) => Promise<Removed>;

async function removeTurns(rows: Turns, before: Date): Promise<Removed> {
  const { turns, conversationIds } = await rows.removeTurns({ before }, turnsPerBatch);
  return { turns, conversations: await countRemoved(rows, conversationIds, before) };
}

async function removeUnused(rows: Turns, before: Date): Promise<Removed> {
  const unused = await rows.listUnusedConversations(before, turnsPerBatch);
  return { conversations: await countRemoved(rows, unused, before) };
}

async function countRemoved(rows: Turns, ids: string[], before: Date): Promise<number> {
  let removed = 0;
  for (const id of ids) if (await rows.removeConversation(id, before)) removed += 1;
  return removed;
}
