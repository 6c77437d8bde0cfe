import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../clock.ts';
import type { Peer, TurnsOrder, TurnsResult } from './contract.ts';

/** Runs turns with a constant number in flight. Each has a new conversation, unless all are of one. */
export async function runTurns(peer: Peer, order: TurnsOrder): Promise<TurnsResult> {
  const { inFlight, turns = Infinity, durationMs = Infinity, oneConversation = false } = order;
  const create = peer.createConversation ?? (() => Promise.resolve(randomUUID()));
  const shared = oneConversation ? await create() : undefined;
  const latenciesMs: number[] = [];
  const startedAt = monotonicMs();
  let left = turns;

  async function runInTurn(): Promise<void> {
    while (left > 0 && monotonicMs() < startedAt + durationMs) {
      left--;
      const conversationId = shared ?? (await create());
      const acceptedAt = monotonicMs();
      await peer.runTurn(conversationId);
      latenciesMs.push(monotonicMs() - acceptedAt);
    }
  }

  await Promise.all(Array.from({ length: inFlight }, runInTurn));
  // Until the last turn has ended: turns in flight advance in step, so an earlier end counts too many or too few.
  return { latenciesMs, turnsPerSecond: (latenciesMs.length / (monotonicMs() - startedAt)) * 1000 };
}
