import { createParser } from 'eventsource-parser';

/** A frame of server-sent events as a page gets it. */
export interface SentFrame {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

/** Reads the frames of a response. A loop that ends early leaves as a page that is closed. */
export async function* readSent(
  response: Response,
  onComment: (text: string) => void = () => undefined,
): AsyncGenerator<SentFrame, void> {
  const arrived: SentFrame[] = [];
  const parser = createParser({
    onComment,
    onEvent: ({ id, event = '', data }) =>
      arrived.push({ id, event, data: JSON.parse(data) as SentFrame['data'] }),
  });
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    parser.feed(decoder.decode(part as Uint8Array, { stream: true }));
    yield* arrived.splice(0);
  }
}

/** Reads a response to its end. */
export async function readAllSent(response: Response): Promise<SentFrame[]> {
  return collect(readSent(response));
}

/** Reads the rest of a stream of frames. */
export async function collect(stream: AsyncIterable<SentFrame>): Promise<SentFrame[]> {
  const frames: SentFrame[] = [];
  for await (const frame of stream) frames.push(frame);
  return frames;
}

/** The text that a page shows after these frames: the pieces of each model call, until its whole message comes. */
export function toText(frames: SentFrame[]): string {
  const texts = new Map<unknown, string>();
  for (const { event, data } of frames) {
    const { iteration, text } = (data['payload'] ?? data) as { iteration?: number; text?: string };
    if (event === 'text.delta') texts.set(iteration, (texts.get(iteration) ?? '') + (text ?? ''));
    if (event === 'stream.reset') texts.delete(iteration);
    if (event === 'message.created') texts.set(iteration, text ?? '');
  }
  return [...texts.values()].join('');
}
