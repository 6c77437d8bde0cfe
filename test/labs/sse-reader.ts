import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ConversationEvent, StreamChunk } from '../../src/domain/event.ts';
import type { Api } from './api-lab.ts';

/** One frame as it arrived. */
export interface Frame {
  id: string;
  event: string;
  data: ConversationEvent | StreamChunk;
}

/** Opens a stream of events. Leaving the loop closes the request. */
export async function openStream(
  api: Api,
  path: string,
  headers: Record<string, string> = {},
): Promise<AsyncGenerator<Frame, undefined>> {
  const cut = new AbortController();
  const response = await fetch(api.url + path, {
    headers: { authorization: `Bearer ${api.key}`, ...headers },
    signal: cut.signal,
  });
  if (response.status === 204) return readNothing();
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  const stream = readFrames(response);
  const leave = stream.return.bind(stream);
  stream.return = async (value) => {
    cut.abort();
    await leave(value).catch(() => undefined);
    return { done: true, value: undefined };
  };
  return stream;
}

/** Reads a stream to its end. */
export async function readStream(
  api: Api,
  path: string,
  headers: Record<string, string> = {},
): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of await openStream(api, path, headers)) frames.push(frame);
  return frames;
}

async function* readNothing(): AsyncGenerator<Frame, undefined> {
  // The stream has ended.
}

async function* readFrames(response: Response): AsyncGenerator<Frame, undefined> {
  let arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder();
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(part, { stream: true }));
    const frames = arrived;
    arrived = [];
    for (const { id = '', event = '', data } of frames)
      yield { id, event, data: JSON.parse(data) as Frame['data'] };
  }
}
