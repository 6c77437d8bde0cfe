import { createHoldfastClient, type ReceivedEvent } from '../../src/clients/client/index.ts';
import type { LabApiProcess } from './lab-api.ts';
import { readSent, type SentFrame } from './sent-events.ts';

/** An API that may be killed. Its readers wait for the one that takes its place. */
export interface ReplaceableApi {
  current: () => Promise<LabApiProcess>;
  start: () => Promise<void>;
  kill: () => Promise<void>;
}

/** Creates an API that is not started yet. */
export function createReplaceableApi(startProcess: () => Promise<LabApiProcess>): ReplaceableApi {
  let next = Promise.withResolvers<LabApiProcess>();
  return {
    current: () => next.promise,
    start: async () => next.resolve(await startProcess()),
    kill: async () => {
      const killed = await next.promise;
      next = Promise.withResolvers();
      await killed.kill();
    },
  };
}

interface ReaderOptions {
  path: string;
  /** The message of the turn with whose end the reader ends. */
  lastMessage: string;
  /** Leaves after a frame for which this is true, and comes back. @default it stays */
  leavesAfter?: (frame: SentFrame) => boolean;
  /** Called with each frame when it has come. */
  onFrame?: (frame: SentFrame) => void;
}

/** Whether the last event is the end of the turn of a message. */
function isOver(events: readonly { [field: string]: unknown }[], lastMessage: string): boolean {
  const last = events.at(-1);
  if (last?.['type'] !== 'turn.settled') return false;
  const start = events.find(({ type, turnId }) => type === 'turn.started' && turnId === last['turnId']);
  return (start?.['payload'] as { message?: string } | undefined)?.message === lastMessage;
}

/** A reader that comes back with the id of its last frame whenever its stream has ended. */
export interface ReturningReader {
  /** All frames so far, those of earlier streams first. */
  frames: SentFrame[];
  /** Resolves when the pieces and messages that have come hold a text. */
  sees: (text: string) => Promise<void>;
  /** Resolves after the last frame. */
  done: Promise<SentFrame[]>;
}

/** Starts a reader, as a page with an `EventSource` is one. */
export function startReturningReader(api: ReplaceableApi, options: ReaderOptions): ReturningReader {
  const frames: SentFrame[] = [];
  const awaited = new Set<{ text: string; resolve: () => void }>();
  let shown = '';
  const take = (frame: SentFrame) => {
    frames.push(frame);
    shown += toShownPart(frame);
    for (const one of awaited) if (shown.includes(one.text) && awaited.delete(one)) one.resolve();
    options.onFrame?.(frame);
  };
  return {
    frames,
    sees: async (text) => {
      if (!shown.includes(text)) await new Promise<void>((resolve) => awaited.add({ text, resolve }));
    },
    done: readReturning(api, { ...options, onFrame: take }, frames),
  };
}

/** A message comes after a mark, so that its text does not continue the pieces before it. */
function toShownPart({ event, data }: SentFrame): string {
  if (event === 'text.delta') return String(data['text']);
  return event === 'message.created' ? `|${(data['payload'] as { text: string }).text}|` : '';
}

async function readReturning(
  api: ReplaceableApi,
  { path, lastMessage, leavesAfter, onFrame }: ReaderOptions,
  frames: SentFrame[],
): Promise<SentFrame[]> {
  for (let broken: LabApiProcess | undefined; ;) {
    const current = await api.current();
    if (current === broken) throw new Error(`the API broke a stream: ${current.log()}`);
    try {
      const lastEventId = frames.at(-1)?.id;
      const response = await fetch(current.url + path, {
        headers: {
          authorization: `Bearer ${current.key}`,
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
      });
      if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
      for await (const frame of readSent(response)) {
        onFrame?.(frame);
        if (isOver(toData(frames), lastMessage)) return frames;
        if (leavesAfter?.(frame)) break;
      }
    } catch (error) {
      // The connection was refused, or broke.
      if (!(error instanceof TypeError)) throw error;
      broken = current;
    }
  }
}

/** Returns the events and pieces in frames. */
export const toData = (frames: readonly SentFrame[]) => frames.map(({ data }) => data);

/** Follows a conversation until the end of the turn of a message by the published client, at one address. */
export async function followByClient(
  { url, key }: Pick<LabApiProcess, 'url' | 'key'>,
  { conversationId, lastMessage }: { conversationId: string; lastMessage: string },
): Promise<ReceivedEvent[]> {
  const client = createHoldfastClient({ baseUrl: url, apiKey: key });
  const events: ReceivedEvent[] = [];
  for await (const event of client.turns.stream({ conversationId })) {
    events.push(event);
    if (isOver(events, lastMessage)) break;
  }
  return events;
}

/** Returns frames as the client gives their events. */
export function toReceived(frames: readonly SentFrame[]): unknown[] {
  return frames.map(({ id, data }) => ({ ...data, lastEventId: id }));
}

/** An answer as a reader was shown it before its message came, and as it is stored. */
export interface ShownAnswer {
  /** The pieces since the last reset, of the newest attempt. */
  shown: string;
  text: string;
}

/**
 * Returns the answers that a reader was shown, in the order of their messages.
 * @throws Error when the frames are not in order, or a piece comes after its message
 */
export function toShownAnswers(frames: readonly SentFrame[]): ShownAnswer[] {
  expectOrder(frames);
  const pieces = new Map<string, { attempt: number; text: string }>();
  const closed = new Set<string>();
  const answers: ShownAnswer[] = [];
  for (const { id, event, data } of frames) {
    const { iteration, attempt, text = '' } = (data['payload'] ?? data) as Piece;
    const key = `${String(data['turnId'])} ${iteration}`;
    const before = pieces.get(key) ?? { attempt: 0, text: '' };
    if (event === 'message.created') {
      answers.push({ shown: before.text, text });
      closed.add(key);
    } else if (event === 'text.delta' || event === 'stream.reset') {
      if (closed.has(key)) throw new Error(`${id} comes after its message`);
      if (attempt < before.attempt) throw new Error(`${id} is of an old attempt`);
      const isNext = event === 'text.delta' && before.attempt === attempt;
      pieces.set(key, { attempt, text: isNext ? before.text + text : text });
    }
  }
  return answers;
}

interface Piece {
  iteration: number;
  attempt: number;
  text?: string;
}

/** Each id has a higher number of an event or of a piece than the one before, and the same other number. */
function expectOrder(frames: readonly SentFrame[]): void {
  let before = [0, 0];
  for (const { id = '' } of frames) {
    const place = id.split('.').map(Number);
    const grown = place.filter((number, index) => number > (before[index] ?? 0));
    const kept = place.filter((number, index) => number === before[index]);
    if (grown.length !== 1 || kept.length !== 1) throw new Error(`${id} comes after ${before.join('.')}`);
    before = place;
  }
}
