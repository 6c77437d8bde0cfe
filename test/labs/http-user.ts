import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { ConversationEvent, StreamChunk } from '../../src/domain/event.ts';

/** One frame of a stream of events. */
export interface Frame {
  id: string;
  event: ConversationEvent | StreamChunk;
}

/** A user of the API who has only HTTP and no client library. */
export interface HttpUser {
  /** Makes a request and returns the `data` of its answer. Throws when the request fails. */
  request: (path: string, body?: unknown) => Promise<unknown>;
  /** Follows a stream, after the frame with the given id if there is one. Leaving the loop closes the request. */
  follow: (path: string, lastEventId?: string) => AsyncGenerator<Frame, void>;
}

/** Creates a user of the API at an address. */
export function createHttpUser({ origin, apiKey }: { origin: string; apiKey: string }): HttpUser {
  const authorization = `Bearer ${apiKey}`;
  return {
    request: async (path, body) => {
      const response = await fetch(`${origin}${path}`, {
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as { success: boolean; data: unknown };
      if (!answer.success) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
      return answer.data;
    },
    follow: async function* (path, lastEventId) {
      const headers = {
        authorization,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      };
      const response = await fetch(`${origin}${path}`, { headers });
      if (response.status !== 200 || response.body === null)
        throw new Error(`${path} answered ${response.status}`);
      const events = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const { id = '', data } of events) yield { id, event: JSON.parse(data) as Frame['event'] };
    },
  };
}
