import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/connect-database.ts';
import { createReplayRepository } from './replay-repository.ts';
import type { Replay } from '../../domain/replay.ts';
import type { ReplayEvent } from '../../domain/replay-report.ts';

/** How often a replay is read, and how long a stream may be silent, in milliseconds. */
const pollMs = 1_000;
const keepAliveMs = 15_000;

interface Following {
  workspaceId: string;
  replay: Replay;
  signal: AbortSignal;
}

/**
 * Yields the state of a replay, and again after each change, until it has ended or the signal aborts; `keep-alive` while
 * nothing changes.
 */
export async function* followReplay(
  database: Pick<Database['forStreams'], 'pipelined'>,
  { workspaceId, replay: first, signal }: Following,
): AsyncGenerator<ReplayEvent | 'keep-alive'> {
  let replay = first;
  let sent = '';
  let sentAt = performance.now();
  while (!signal.aborted) {
    const event = toReplayEvent(replay);
    const text = JSON.stringify(event);
    const isSilent = performance.now() - sentAt >= keepAliveMs;
    if (text !== sent || isSilent) {
      yield text === sent ? 'keep-alive' : event;
      [sent, sentAt] = [text, performance.now()];
    }
    if (event.type === 'replay.settled') return;
    try {
      await sleep(pollMs, undefined, { signal });
    } catch {
      return;
    }
    replay = await database.pipelined(workspaceId, (query) =>
      createReplayRepository(query).getReplay(first.id),
    );
  }
}

function toReplayEvent({ id, status, cases, runs, spent, settledAt }: Replay): ReplayEvent {
  const type = settledAt === null ? 'replay.progress' : 'replay.settled';
  return { type, replayId: id, status, cases, runs, spent };
}
