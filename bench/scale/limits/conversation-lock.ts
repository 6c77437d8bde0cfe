import { newId } from '../../../src/platform/lib/ids.ts';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { defineStatement } from '../../../src/platform/database/statement.ts';
import { insertTurn } from '../../../src/modules/turns/store-turn.ts';
import { messageCharacters } from '../../programs/contract.ts';
import { measureRate, type LimitLab, type LimitTable } from './experiment.ts';

const sessions = 32;
const conversationCounts = [1, 4, 32, 1000];

/** Stores a message for a conversation, and ends its turn in the same transaction, since only a few may wait. */
export function storeMessage(
  { database, seed }: Pick<LimitLab, 'database' | 'seed'>,
  conversationId: string,
) {
  const turnId = newId();
  const input = { message: 'u'.repeat(messageCharacters), onBusy: 'enqueue' as const };
  return database.pipelined(seed.workspaceId, (query) =>
    Promise.all([
      insertTurn(query, { turnId, requestHash: 'hash', conversationId, input }),
      query(endTurn, { turnId }),
    ]),
  );
}

const endTurn = defineStatement<{ turnId: string }, unknown>(
  'end_stored_turn',
  "UPDATE turns SET status = 'completed', settled_at = now() WHERE id = :turnId",
);

/** Creates conversations without turns. */
export async function createConversations({ database, seed }: LimitLab, count: number): Promise<string[]> {
  const { rows } = await database.inWorkspace(seed.workspaceId, (trx) =>
    trx.raw<{ rows: { id: string }[] }>(
      `INSERT INTO conversations (id, agent_id)
       SELECT gen_random_uuid(), :agentId FROM generate_series(1, :count::int) RETURNING id`,
      { agentId: seed.agentIds.direct, count },
    ),
  );
  return rows.map(({ id }) => id);
}

/** Stores messages to few and to many conversations: those of one wait for each other, each until the disk has it. */
export async function measureConversationLock(lab: LimitLab): Promise<LimitTable> {
  const lines: string[][] = [];
  const database = connectDatabase({ url: lab.databaseUrl, poolSize: sessions });
  try {
    for (const count of conversationCounts) {
      const ids = await createConversations(lab, count);
      let next = 0;
      const run = () => storeMessage({ ...lab, database }, ids[next++ % count] ?? '');
      const { perSecond, postgresMs } = await measureRate(lab, { sessions, run });
      lines.push([`${count} conversations`, perSecond.toFixed(0), postgresMs.toFixed(2)]);
    }
  } finally {
    await database.close();
  }
  return {
    title: `The lock of the conversation: ${sessions} sessions store messages`,
    header: ['spread over', 'messages/s', 'Postgres CPU-ms each'],
    lines,
  };
}
