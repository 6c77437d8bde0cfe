import type { Delivery, KeepAlive } from '../follow/delivery.ts';
import { toCursorText } from './event-cursor.ts';

/** The first frame of a stream: how long a client waits before it opens the stream again, in milliseconds. */
const retryFrame = 'retry: 1000\n\n';

/** A comment. Clients ignore it, and it keeps proxies from closing an idle stream. */
const keepAliveFrame = ': keep-alive\n\n';

/** Writes a stream as frames of server-sent events, each frame on demand. */
export async function* toFrames(deliveries: AsyncIterable<Delivery | KeepAlive>): AsyncGenerator<string> {
  yield retryFrame;
  for await (const delivery of deliveries) {
    yield delivery === 'keep-alive' ? keepAliveFrame : toFrame(delivery);
  }
}

/** Writes a frame as the HTML standard defines it. One `data` line is enough, since JSON has no line breaks. */
function toFrame({ cursor, event }: Delivery): string {
  return `id: ${toCursorText(cursor)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
