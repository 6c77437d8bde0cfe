import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../clock.ts';
import type { Peer, TurnsOrder, TurnsResult } from './contract.ts';

/** Runs turns with a constant number in flight. Each has a new conversation, unless all are of one. */
export async function runTurns(peer: Peer, order: TurnsOrder): Promise<TurnsResult> {
  const { inFlight, turns = Infinity, durationMs = Infinity, oneConversation = false } = order;
  const create = peer.createConversation ?? (() => Promise.resolve(randomUUID()));
  const shared = oneConversation ? await create() : undefined;
  const ended: { at: number; latencyMs: number }[] = [];
  const startedAt = monotonicMs();
  let left = turns;

  async function runInTurn(): Promise<void> {
    while (left > 0 && monotonicMs() < startedAt + durationMs) {
      left--;
      const conversationId = shared ?? (await create());
      const acceptedAt = monotonicMs();
      await peer.runTurn(conversationId);
      const at = monotonicMs();
      ended.push({ at, latencyMs: at - acceptedAt });
    }
  }

  await Promise.all(Array.from({ length: inFlight }, runInTurn));
  const until = Math.min(monotonicMs(), startedAt + durationMs);
  const counted = ended.filter(({ at }) => at <= until).length;
  return {
    latenciesMs: ended.map(({ latencyMs }) => latencyMs),
    turnsPerSecond: (counted / (until - startedAt)) * 1000,
  };
}
