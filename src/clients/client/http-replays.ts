import type { ApiTransport } from './api-transport.ts';
import { operations } from './generated/operations.ts';
import type { Replay } from './generated/types.ts';
import { HoldfastApiError } from './holdfast-api-error.ts';
import { toRequest } from './operation-request.ts';
import { pause } from './pause.ts';
import type { Resources } from './resources.ts';
import { isTransient, toDelayMs } from './retry-policy.ts';
import { readFrames } from './sse-frames.ts';

/** The state of a replay that runs; `replay.settled` is the last one. */
export interface ReplayEvent extends Pick<Replay, 'status' | 'cases' | 'runs' | 'spent'> {
  type: 'replay.progress' | 'replay.settled';
  replayId: string;
}

/** Batches of recorded turns that are run again. */
export type Replays = Resources['replays'] & {
  /**
   * Yields the state of a replay now and after each change until it has ended, across interruptions of the network.
   * @throws HoldfastApiError when the stream is refused or stays lost; the signal's reason when aborted
   */
  follow(replayId: string, options?: { signal?: AbortSignal | undefined }): AsyncGenerator<ReplayEvent>;
};

/** A stream that is silent for longer counts as lost; servers send a comment more often. */
const silenceMs = 60_000;

/** The replays, over HTTP. */
export function createHttpReplays(transport: ApiTransport, stored: Resources['replays']): Replays {
  return { ...stored, follow: (replayId, options = {}) => followReplay(transport, replayId, options.signal) };
}

async function* followReplay(
  transport: ApiTransport,
  replayId: string,
  ownSignal: AbortSignal | undefined,
): AsyncGenerator<ReplayEvent> {
  const policy = transport.retryPolicy;
  const signal = transport.toSignal(ownSignal);
  for (let failures = 1; ; failures += 1) {
    try {
      for await (const event of readStream(transport, replayId, signal)) {
        failures = 0;
        yield event;
        if (event.type === 'replay.settled') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error) || failures > policy.reconnects) throw error;
    }
    if (failures > policy.reconnects)
      throw new HoldfastApiError('CONNECTION_FAILED', 'The server closes the stream again and again.');
    await pause(toDelayMs(policy, Math.max(1, failures), undefined), signal);
  }
}

async function* readStream(
  transport: ApiTransport,
  replayId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReplayEvent> {
  const request = toRequest(operations.streamReplayEvents, [replayId, { signal }]);
  const { body } = await transport.open({ ...request, headers: { accept: 'text/event-stream' } });
  if (!body) return;
  for await (const { data } of readFrames(body, { silenceMs, onRetry: () => undefined }))
    yield JSON.parse(data) as ReplayEvent;
}
