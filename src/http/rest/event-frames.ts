import type { Delivery, KeepAlive } from '../../turns/follow/delivery.ts';
import { toCursorText } from './event-cursor.ts';

/** The first frame of a stream: how long a client waits before it opens the stream again, in milliseconds. */
const retryFrame = 'retry: 1000\n\n';

/** A comment, which clients ignore and which keeps proxies from closing a silent stream. */
const keepAliveFrame = ': keep-alive\n\n';

/** Writes a stream as frames of server-sent events, each when it is asked for. */
export async function* toFrames(deliveries: AsyncIterable<Delivery | KeepAlive>): AsyncGenerator<string> {
  yield retryFrame;
  for await (const delivery of deliveries) {
    yield delivery === 'keep-alive' ? keepAliveFrame : toFrame(delivery);
  }
}

/** A frame as the HTML standard defines it; JSON has no line breaks of its own. */
function toFrame({ cursor, event }: Delivery): string {
  return `id: ${toCursorText(cursor)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
