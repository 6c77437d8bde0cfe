import { holdfast } from '../api/client.ts';
import type { ReceivedEvent } from '../api/types.ts';
import { appendEvents, emptyLog, type ConversationLog } from './conversation-log.ts';
import { createFrameBatch } from './frame-batch.ts';

/** How a stream is: it opens, is open, is opened again after it was lost, or was given up. */
export type StreamState = 'opening' | 'open' | 'lost' | 'failed';

/** What is known of a conversation or a turn that is followed. */
export interface Followed {
  log: ConversationLog;
  /** The stored events in their order, without pieces of texts. */
  events: readonly ReceivedEvent[];
  stream: StreamState;
  /** Why the stream was given up. */
  error: unknown;
}

const nothing: Followed = { log: emptyLog, events: [], stream: 'opening', error: null };

/** A turn by its id, or a conversation. */
export type FollowTarget = string | { conversationId: string };

/** Follows a target from its first event as long as it has subscribers. */
export interface Follower {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => Followed;
}

/**
 * Follows a turn until it is settled, or a conversation. What happens is in the snapshot with the next frame of the browser;
 * the stream is opened again after interruptions, and nothing is missing or there twice.
 */
export function createFollower(target: FollowTarget | null): Follower {
  let followed = nothing;
  const listeners = new Set<() => void>();
  let closing = new AbortController();
  const change = (next: Partial<Followed>) => {
    followed = { ...followed, ...next };
    for (const listener of listeners) listener();
  };
  const batch = createFrameBatch<ReceivedEvent>((events) =>
    change({
      log: appendEvents(followed.log, events),
      events: [...followed.events, ...events.filter((event) => 'seq' in event)],
    }),
  );
  async function follow(of: FollowTarget, { signal }: AbortController): Promise<void> {
    const events = holdfast.turns.stream(of, {
      signal,
      onOpen: () => change({ stream: 'open' }),
      onReconnect: () => change({ stream: 'lost' }),
    });
    try {
      for await (const event of events) batch.add(event);
    } catch (error) {
      if (!signal.aborted) change({ stream: 'failed', error });
    }
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1 && target !== null) {
        followed = nothing;
        closing = new AbortController();
        void follow(target, closing);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        closing.abort();
        batch.stop();
      };
    },
    getSnapshot: () => followed,
  };
}
