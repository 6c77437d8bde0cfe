import { AsyncLocalStorage } from 'node:async_hooks';
import { createParser } from 'eventsource-parser';
import { parseJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { JoinedPieces, PieceFormat } from './piece-format.ts';

/** Longer texts are passed on in parts, so that little is held. */
const mostCharacters = 64 * 1024;

/** The data with which some protocols end a stream. */
const lastData = '[DONE]';

/** Hears of an answer while it arrives. */
export interface AnswerListener {
  /** Receives the pieces of the answer's text. */
  onText: (text: string) => void;
  /** Called for all that arrives. */
  onProgress: () => void;
}

const listeners = new AsyncLocalStorage<AnswerListener>();

/** Calls a function; the answers to the requests that it makes through {@link joinPieces} are reported to the listener. */
export function listenToAnswer<Result>(listener: AnswerListener, call: () => Result): Result {
  return listeners.run(listener, call);
}

/**
 * Wraps a fetch so that the pieces of a text in a stream of events arrive as one event. The AI SDK runs each event through
 * several streams and a schema, which costs more than all else that is done with it; the listener has the pieces at once.
 * Without a listener the events stay apart, and are brought into the form of the protocol only.
 */
export function joinPieces(request: typeof fetch, format: PieceFormat): typeof fetch {
  return async (input, init) => {
    const response = await request(input, init);
    const listener = listeners.getStore();
    const type = response.headers.get('content-type') ?? '';
    if (!listener && !format.toStandard) return response;
    if (!response.ok || !response.body || !type.startsWith('text/event-stream')) return response;
    const { status, statusText, headers } = response;
    const body = toJoinedStream(response.body, createJoiner(format, listener));
    return new Response(body, { status, statusText, headers });
  };
}

interface Joiner {
  /** Takes data as it arrives, and returns the data to pass on. */
  take: (data: string) => string;
  /** Returns the rest. */
  end: () => string;
}

function createJoiner(format: PieceFormat, listener: AnswerListener | undefined): Joiner {
  const { toStandard = (event: JsonObject) => event } = format;
  let held: (JoinedPieces & { key: string }) | null = null;
  let ready = '';
  /** False after text or an error that is only known once the AI SDK has read it: what follows must not overtake it. */
  let joins = listener !== undefined;

  function pass(event: JsonObject): void {
    ready += toFrame(JSON.stringify(toStandard(event)));
  }

  function release(): void {
    if (held) pass(held.first === held.last ? held.first : format.toJoined(held));
    held = null;
  }

  function takeEvent(data: string): void {
    const event = joins || format.toStandard ? parseJsonObject(data) : null;
    const piece = event && joins ? format.readPiece(event) : null;
    if (!event || !piece) {
      release();
      if (event) pass(event);
      else ready += toFrame(data);
      if (event ? format.mayChangeText(event) : data !== lastData) joins = false;
      return;
    }
    if (held?.key === piece.key && held.text.length < mostCharacters) {
      held.text += piece.text;
      held.last = event;
    } else {
      release();
      held = { key: piece.key, first: event, last: event, text: piece.text };
    }
    if (piece.isAnswer) listener?.onText(piece.text);
  }

  const parser = createParser({ onEvent: ({ data }) => takeEvent(data) });
  const takeReady = () => {
    const taken = ready;
    ready = '';
    return taken;
  };
  return {
    take: (data) => {
      listener?.onProgress();
      parser.feed(data);
      return takeReady();
    },
    end: () => {
      release();
      return takeReady();
    },
  };
}

function toFrame(data: string): string {
  return `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}

function toJoinedStream(body: ReadableStream<Uint8Array>, joiner: Joiner): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** Returns the data to pass on, and whether it is the end. */
  async function read(): Promise<{ ready: string; done: boolean }> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { ready: joiner.take(decoder.decode()) + joiner.end(), done };
      const ready = joiner.take(decoder.decode(value, { stream: true }));
      if (ready !== '') return { ready, done };
    }
  }
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { ready, done } = await read();
          if (ready !== '') controller.enqueue(encoder.encode(ready));
          if (done) controller.close();
        } catch (error) {
          // Otherwise the model's server would send the rest of an answer that is not read.
          reader.cancel(error).catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
