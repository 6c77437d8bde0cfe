import { randomUUID } from 'node:crypto';
import type { BenchRow } from '../rows.ts';
import type { ConversationPool } from './conversation-pool.ts';
import type { TurnOrder } from './turn-drivers.ts';

/** How many turns are submitted at the same time. */
const inFlight = 8;

interface SubmitParts {
  start: (order: Omit<TurnOrder, 'row'>) => Promise<void>;
  pool: ConversationPool;
}

/** Submits turns, each in its own conversation, and waits until all are accepted. */
export async function submitTurns(
  { start, pool }: SubmitParts,
  { row: { execution }, turns }: { row: BenchRow; turns: number },
): Promise<void> {
  let left = turns;
  const submitInTurn = async () => {
    while (left > 0) {
      left -= 1;
      const conversationId = pool.take(execution) ?? (await pool.make(execution));
      await start({ tag: randomUUID(), conversationId });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, submitInTurn));
}
