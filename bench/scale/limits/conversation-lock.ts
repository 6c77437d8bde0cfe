import { newId } from '../../../src/lib/ids.ts';
import { connectDatabase } from '../../../src/db/connect-database.ts';
import { storeTurn } from '../../../src/turns/submit-turn.ts';
import { messageCharacters } from '../../programs/contract.ts';
import { measureRate, type LimitLab, type LimitTable } from './experiment.ts';

const sessions = 32;
const conversationCounts = [1, 4, 32, 1000];

// These turns have no readers and no workers.
const notifier = { events: () => undefined, stop: () => undefined };

/** Stores a message for a conversation, behind those that wait in it. */
export function storeMessage(lab: Pick<LimitLab, 'database' | 'seed'>, conversationId: string) {
  const input = { message: 'u'.repeat(messageCharacters), onBusy: 'enqueue' as const };
  return storeTurn({ database: lab.database, notifier }, lab.seed, {
    turnId: newId(),
    conversationId,
    input,
  });
}

/** Creates conversations without turns. */
export async function createConversations({ database, seed }: LimitLab, count: number): Promise<string[]> {
  const { rows } = await database.inWorkspace(seed.workspaceId, (trx) =>
    trx.raw<{ rows: { id: string }[] }>(
      `INSERT INTO conversations (id, agent_id)
       SELECT gen_random_uuid(), :agentId FROM generate_series(1, :count::int) RETURNING id`,
      { agentId: seed.agentIds.fast, count },
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
