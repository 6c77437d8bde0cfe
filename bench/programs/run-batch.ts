import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../clock.ts';
import type { BatchOrder, BatchResult } from './contract.ts';
import type { ConversationPool } from './conversation-pool.ts';
import type { TurnDriver } from './turn-drivers.ts';

interface BatchParts {
  driver: TurnDriver;
  pool: ConversationPool;
}

interface FinishedTurn {
  tag: string;
  workflowId: string | null;
  acceptedAt: number;
  endedAt: number;
}

/** Runs turns with a constant number in flight, and returns their figures. */
export async function runBatch({ driver, pool }: BatchParts, order: BatchOrder): Promise<BatchResult> {
  const { row, inFlight, conversationId } = order;
  if (conversationId === undefined && row.kind === 'holdfast') await pool.fill(row.execution);
  const finished: FinishedTurn[] = [];
  let left = order.turns ?? Infinity;
  const until = monotonicMs() + (order.durationMs ?? Infinity);

  async function takeConversation(): Promise<string> {
    if (conversationId !== undefined) return conversationId;
    if (row.kind === 'raw') return '';
    return pool.take(row.execution) ?? pool.make(row.execution);
  }

  async function runInTurn(): Promise<void> {
    while (left > 0 && monotonicMs() < until) {
      left--;
      const target = await takeConversation();
      const tag = randomUUID();
      const acceptedAt = monotonicMs();
      const workflowId = await driver({ tag, row, conversationId: target });
      finished.push({ tag, workflowId, acceptedAt, endedAt: monotonicMs() });
    }
  }

  await Promise.all(Array.from({ length: inFlight }, runInTurn));
  return toResult(finished);
}

function toResult(finished: FinishedTurn[]): BatchResult {
  const start = Math.min(...finished.map(({ acceptedAt }) => acceptedAt));
  const end = Math.max(...finished.map(({ endedAt }) => endedAt));
  return {
    turns: finished.length,
    latenciesMs: finished.map(({ acceptedAt, endedAt }) => endedAt - acceptedAt),
    acceptedAt: Object.fromEntries(finished.map(({ tag, acceptedAt }) => [tag, acceptedAt])),
    // The whole batch: turns in flight advance in step, so a window that cuts through them counts too many or too few.
    turnsPerSecond: (finished.length / (end - start)) * 1000,
    workflowIds: finished.flatMap(({ workflowId }) => workflowId ?? []),
  };
}
