import { isDatabaseOutage } from '../lib/database-outage.ts';
import type { RouteContext } from './route.ts';
import type { ServerDependencies } from './server-dependencies.ts';

/** A server-sent event. A client that returns after one without an `id` continues where it would have before. */
export interface SentEvent {
  id?: string;
  data: { type: string };
}

/** The first frame of a stream: how long a client waits before it opens the stream again, in milliseconds. */
const retryFrame = 'retry: 1000\n\n';

/** A comment. Clients ignore it, and it keeps proxies from closing an idle stream. */
const keepAliveFrame = ': keep-alive\n\n';

/** Writes events as frames, as the HTML standard defines them, each frame on demand. */
export async function* toEventFrames<Item>(
  items: AsyncIterable<Item | 'keep-alive'>,
  toEvent: (item: Item) => SentEvent,
): AsyncGenerator<string> {
  yield retryFrame;
  for await (const item of items) yield item === 'keep-alive' ? keepAliveFrame : toFrame(toEvent(item));
}

/** One `data` line is enough, since JSON has no line breaks. */
function toFrame({ id, data }: SentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The parts of a request that a stream which breaks is logged with. */
export type StreamContext = Pick<
  RouteContext<Pick<ServerDependencies, 'databaseState'>, unknown, unknown, unknown, unknown>,
  'log' | 'dependencies'
>;

/** Logs why a stream broke. Its status was sent already, so the response is cut, and the client reconnects. */
export async function* logFailure(
  frames: AsyncGenerator<string>,
  { log, dependencies }: StreamContext,
): AsyncGenerator<string> {
  try {
    yield* frames;
  } catch (error) {
    if (isDatabaseOutage(error)) dependencies.databaseState.failed(error);
    else log.warn({ err: error }, 'a stream of events broke');
    throw error;
  }
}
