import type { ApiTransport } from './api-transport.ts';
import { streamEvents } from './event-stream.ts';
import { operations } from './generated/operations.ts';
import type { Replay } from './generated/types.ts';
import { toRequest } from './operation-request.ts';
import type { Resources } from './resources.ts';
import { parseEvent } from './stream-cursor.ts';

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

/** The replays, over HTTP. */
export function createHttpReplays(transport: ApiTransport, stored: Resources['replays']): Replays {
  return {
    ...stored,
    follow: (replayId, options = {}) => {
      const { path } = toRequest(operations.streamReplayEvents, [replayId]);
      const isLast = ({ type }: ReplayEvent) => type === 'replay.settled';
      return streamEvents(transport, { path, cursor, isLast }, options);
    },
  };
}

/** The stream has no positions: it begins with the state now. */
const cursor = {
  id: () => undefined,
  accept: ({ data }: { data: string }) => parseEvent(data) as ReplayEvent,
};
