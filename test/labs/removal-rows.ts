import type { Knex } from 'knex';
import { createToolCallRepository } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { tables as removedTables } from '../../src/main/modules.ts';
import { createRecordRemoval } from '../../src/modules/retention/create-record-removal.ts';
import type { RemovalDependencies } from '../../src/modules/retention/removal.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { compactRows } from './compact-rows.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from './turn-rows.ts';

/** The tables with rows of turns. */
const turnTables = [
  'turns',
  'messages',
  'usage',
  'tool_calls',
  'events',
  'stream_chunks',
  'files',
  'compactions',
];

/** How many rows of each table a workspace has; tables without rows are left out. */
export async function countRows(
  system: Knex,
  workspaceId: string,
  tables = ['conversations', ...turnTables],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await system(table).where({ workspace_id: workspaceId }).count<{ count: number }[]>();
    if (row && row.count > 0) counts[table] = row.count;
  }
  return counts;
}

/** A database with turns that have rows in every table, and the removal of rows. */
export async function openRemovalRows() {
  const rows = await openTurnRows();
  const { database } = rows;
  const warnings: { fields: object; message: string }[] = [];
  const logger = { warn: (fields: object, message: string) => void warnings.push({ fields, message }) };
  return {
    ...rows,
    warnings,
    remove: (options: Pick<RemovalDependencies, 'retentionDays'> = {}, mayContinue = () => true) =>
      createRecordRemoval({ database, tables: removedTables, logger, ...options })(mayContinue),
    count: (place: Pick<RowRef, 'workspaceId'>, tables?: string[]) =>
      countRows(database.system, place.workspaceId, tables),

    /** A turn that was settled so many days ago. Returns its id and that of its tool call. */
    playTurn: async (place: RowRef, daysAgo = 0): Promise<{ turnId: string; toolCallId: string }> => {
      const { turn } = await rows.submit(place);
      const call = createToolCall(0);
      await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls: [call] }));
      await database.transact(place.workspaceId, async (query) => {
        const ledger = createToolCallRepository(query);
        await ledger.claim({ turnId: turn.id, iteration: 1, index: 0 });
        await ledger.finish({
          id: call.id,
          status: 'succeeded',
          result: 'done',
          event: { type: 'tool.executed', payload: {} } as never,
          audit: { type: 'tool.executed', payload: {} },
        });
      });
      await compactRows(database, place.workspaceId, { turnId: turn.id, iteration: 2 });
      await rows.storeAnswer(place, createAnswer(turn.id, { iteration: 2, outcome: 'completed' }));
      await database.inWorkspace(place.workspaceId, (trx) => addFiles(trx, place, turn.id));
      const age = database.system.raw(`now() - make_interval(days => ?)`, [daysAgo]);
      await database.system('turns').where({ id: turn.id }).update({ created_at: age, settled_at: age });
      return { turnId: turn.id, toolCallId: call.id };
    },

    /** Lets a conversation be so many days old. */
    age: async ({ conversationId }: RowRef, daysAgo: number): Promise<void> => {
      const age = database.system.raw(`now() - make_interval(days => ?)`, [daysAgo]);
      await database.system('conversations').where({ id: conversationId }).update({ created_at: age });
    },
  };
}

async function addFiles(trx: Knex, { conversationId }: RowRef, turnId: string): Promise<void> {
  const file = { media_type: 'image/png', bytes: Buffer.from('x'), size: 1, sha256: 'x' };
  await trx('files').insert({ id: newId(), turn_id: turnId, ...file });
  const chunk = { conversation_id: conversationId, turn_id: turnId, iteration: 1, attempt: 1, text: 'x' };
  await trx('stream_chunks').insert(chunk);
}
