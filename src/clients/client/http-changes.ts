import type { ApiTransport } from './api-transport.ts';
import { streamEvents, type StreamOptions } from './event-stream.ts';
import { operations } from './generated/operations.ts';
import { toRequest } from './operation-request.ts';
import { parseEvent } from './stream-cursor.ts';

/** A note that something was created or has another status, or that an agent has a new version. The thing itself is read by its id. */
export interface Change {
  type:
    | 'agent'
    | 'turn'
    | 'action'
    | 'routine_run'
    | 'swarm'
    | 'replay'
    | 'document'
    | 'schedule_run'
    | 'trigger_delivery'
    | 'webhook_delivery'
    | 'inbox_message';
  id: string;
  /** The status that it got; that of a message is `read` or `unread`, that of an agent `active` or `deleted`. */
  status: string;
  /** The conversation of the turn, the action or the run. */
  conversationId: string | null;
  at: string;
}

/**
 * Changes in their order, or `reset` when those before it are not known: read anew what is shown. A later stream continues
 * after `lastEventId`.
 */
export type ChangeEvent = ({ type: 'changes'; changes: Change[] } | { type: 'reset' }) & {
  lastEventId: string;
};

/** What changes in the workspace. */
export interface Changes {
  /**
   * Yields each change that the key may read once, across interruptions of the network, until the signal is aborted. It begins
   * with `reset`, unless it continues after an event.
   * @throws HoldfastApiError when the stream is refused or stays lost; the signal's reason when aborted
   */
  follow(options?: StreamOptions): AsyncIterable<ChangeEvent>;
}

/** The changes of the workspace, over HTTP. */
export function createHttpChanges(transport: ApiTransport): Changes {
  return {
    follow: (options = {}) => {
      const { path } = toRequest(operations.streamChanges, []);
      let { lastEventId } = options;
      const cursor = {
        id: () => lastEventId,
        accept: ({ id = '', data }: { id?: string | undefined; data: string }) => {
          lastEventId = id;
          return { ...(parseEvent(data) as ChangeEvent), lastEventId };
        },
      };
      return streamEvents(transport, { path, cursor }, options);
    },
  };
}
