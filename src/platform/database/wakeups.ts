import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chunksChannel, parseChunks, type AnnouncedChunk } from './announced-chunks.ts';
import { pollForEvents, type ListLastSeqs } from './poll-for-events.ts';
import type { Notification, Transactions } from './transactions.ts';
import { holdWorkerLock } from './worker-presence.ts';

const eventsChannel = 'holdfast_events';
const stopChannel = 'holdfast_stop';
const steerNowChannel = 'holdfast_steer_now';
const offersChannel = 'holdfast_offers';
/** Postgres refuses payloads of 8000 bytes; 150 ids of 36 characters stay below. */
const idsPerNotification = 150;
/** How long events are collected after the process has sent something, in milliseconds. */
const pauseMs = 33;
const reconnectMs = 500;

/**
 * Notifies other processes that there is something to read. It sends ids, besides offers, and may lose one: {@link Wakeups}
 * polls too.
 */
export interface Notifier {
  /** Announces that a conversation has new events. */
  events: (conversationId: string) => void;
  /** Announces the last events of a turn, for whose end a caller may wait. */
  ended: (turn: { conversationId: string; turnId: string }) => void;
  /** Asks the running steps of a turn to stop now. */
  stop: (turnId: string) => void;
  /** Notifies the running model call of a turn of a message that interrupts it. */
  steerNow: (turnId: string) => void;
  /** Offers a turn to all workers, with at most 7,900 bytes that say how to run it. Workers look for turns that none has taken. */
  offer: (turn: string) => void;
  /** Returns what is collected, for a statement that sends it along. It is lost when that statement fails. */
  take: () => Notification[];
  /** Sends what is collected, and resolves when that and all that was sent earlier has arrived. */
  flush: () => Promise<void>;
}

/** Receives the notifications of {@link Notifier} and the pieces of answers, from this process and all others. */
export interface Wakeups {
  /** Calls `wake` when a conversation has new events, or a turn has ended; the returned function ends that. */
  onEvents: (id: string, wake: () => void) => () => void;
  /** Calls `take` with each piece of an answer that is announced for a conversation; the returned function ends that. */
  onChunks: (conversationId: string, take: (chunk: AnnouncedChunk) => void) => () => void;
  /** Calls `stop` with the id of each turn whose steps should stop; the returned function ends that. */
  onStop: (stop: (turnId: string) => void) => () => void;
  /** Calls `steer` with the id of each turn whose model call a message interrupts; the returned function ends that. */
  onSteerNow: (steer: (turnId: string) => void) => () => void;
  /** Calls `take` with each turn that is offered; the returned function ends that. */
  onOffer: (take: (turn: string) => void) => () => void;
  /** Whether the process receives notifications. When that changes, every reader is woken. */
  isListening: () => boolean;
  /** Shows all other processes that a worker runs, until this process ends. */
  announceWorker: () => Promise<void>;
  close: () => Promise<void>;
}

interface NotifierOptions {
  database: Pick<Transactions, 'notify'>;
  onError: (error: unknown) => void;
}

/**
 * Notifies in statements of its own: `NOTIFY` inside a transaction that writes would take a lock over the whole
 * database while the transaction waits for the disk. A write that does not wait may `take` what is collected. The first id
 * goes at once, and those that come soon after it together, so that a busy process sends few statements. All but events
 * go at once, with what is collected by then.
 */
export function createNotifier({ database, onError }: NotifierOptions): Notifier {
  const ids = {
    [eventsChannel]: new Set<string>(),
    [stopChannel]: new Set<string>(),
    [steerNowChannel]: new Set<string>(),
  };
  let offers: string[] = [];
  const running = new Set<Promise<unknown>>();
  let sentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;

  function take(): Notification[] {
    clearTimeout(timer);
    clearImmediate(immediate);
    timer = immediate = undefined;
    const taken = [
      ...Object.entries(ids).flatMap(([channel, collected]) => toNotifications(channel, collected)),
      ...offers.map((offer): Notification => [offersChannel, offer]),
    ];
    for (const collected of Object.values(ids)) collected.clear();
    offers = [];
    if (taken.length > 0) sentAt = performance.now();
    return taken;
  }

  function send(): void {
    const sending = database
      .notify(take())
      .catch(onError)
      .finally(() => running.delete(sending));
    running.add(sending);
  }

  /** Sends when the code that runs now has ended, so that all calls of one moment share a statement. */
  function sendSoon(): void {
    immediate ??= setImmediate(send);
  }

  function sendNow(channel: keyof typeof ids, ...added: string[]): void {
    for (const id of added) ids[channel].add(id);
    sendSoon();
  }

  return {
    events: (conversationId) => {
      const waitMs = sentAt + pauseMs - performance.now();
      ids[eventsChannel].add(conversationId);
      if (waitMs <= 0) sendSoon();
      else timer ??= setTimeout(send, waitMs);
    },
    ended: ({ conversationId, turnId }) => sendNow(eventsChannel, conversationId, turnId),
    stop: (turnId) => sendNow(stopChannel, turnId),
    steerNow: (turnId) => sendNow(steerNowChannel, turnId),
    offer: (turn) => {
      offers.push(turn);
      sendSoon();
    },
    take,
    flush: async () => {
      if (timer ?? immediate) send();
      await Promise.all(running);
    },
  };
}

function toNotifications(channel: string, collected: Set<string>): Notification[] {
  const all = [...collected];
  const notifications: Notification[] = [];
  for (let start = 0; start < all.length; start += idsPerNotification) {
    notifications.push([channel, all.slice(start, start + idsPerNotification).join(',')]);
  }
  return notifications;
}

interface WakeupOptions {
  url: string;
  /** Reads the number of the last event of each conversation. */
  listLastSeqs: ListLastSeqs;
  /** How often the numbers are read, in milliseconds. @default 2000 */
  pollMs?: number;
}

/**
 * Listens in one database session for the whole process, and opens another one when the session is lost. One query looks
 * for events of all readers whose notification was not sent, because the process that stored them ended.
 */
export async function listenForWakeups({ url, ...polling }: WakeupOptions): Promise<Wakeups> {
  const { all: readers, add: onEvents } = createReaders<() => void>();
  const wakeAll = () => readers.forEach((wakes) => wakes.forEach((wake) => wake()));
  const listeners = { [stopChannel]: createListeners(), [steerNowChannel]: createListeners() };
  const offers = createListeners();
  const chunkReaders = createReaders<(chunk: AnnouncedChunk) => void>();
  const listener = await keepListening(url, {
    notified: (channel, payload) => {
      if (channel === chunksChannel) {
        if (chunkReaders.all.size === 0) return;
        for (const chunk of parseChunks(payload))
          chunkReaders.all.get(chunk.conversationId)?.forEach((take) => take(chunk));
        return;
      }
      if (channel === offersChannel) {
        offers.call(payload);
        return;
      }
      for (const id of payload.split(',')) {
        if (channel === stopChannel || channel === steerNowChannel) listeners[channel].call(id);
        else readers.get(id)?.forEach((wake) => wake());
      }
    },
    // Readers poll while no session listens, so each is woken to start that.
    lost: wakeAll,
    // Notifications that were sent while no session listened are lost, so every reader is woken once.
    reconnected: wakeAll,
  });
  const poll = pollForEvents(readers, polling);
  return {
    onEvents,
    onChunks: chunkReaders.add,
    onStop: listeners[stopChannel].add,
    onSteerNow: listeners[steerNowChannel].add,
    onOffer: offers.add,
    isListening: () => listener.isListening(),
    announceWorker: listener.announceWorker,
    close: async () => {
      await poll.close();
      await listener.close();
    },
  };
}

/** Readers by the id of what they read. */
function createReaders<Reader>() {
  const all = new Map<string, Set<Reader>>();
  return {
    all,
    add: (id: string, reader: Reader) => {
      const readers = all.get(id) ?? new Set();
      all.set(id, readers.add(reader));
      return () => {
        readers.delete(reader);
        if (readers.size === 0) all.delete(id);
      };
    },
  };
}

function createListeners() {
  const all = new Set<(payload: string) => void>();
  return {
    add: (listener: (payload: string) => void) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
    call: (payload: string) => all.forEach((listener) => listener(payload)),
  };
}

interface ListenHandlers {
  notified: (channel: string, payload: string) => void;
  lost: () => void;
  reconnected: () => void;
}

async function keepListening(url: string, handlers: ListenHandlers) {
  const closing = new AbortController();
  let isListening = false;
  let isWorker = false;
  let client = await listen();

  async function listen(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'holdfast-wakeups',
      keepAlive: true,
    });
    next.on('notification', ({ channel, payload }) => handlers.notified(channel, payload ?? ''));
    next.on('error', () => undefined);
    await next.connect();
    const channels = [eventsChannel, stopChannel, steerNowChannel, offersChannel, chunksChannel];
    await next.query(channels.map((channel) => `LISTEN ${channel}`).join('; '));
    if (isWorker) await next.query(holdWorkerLock);
    // Added only now: when the session is lost earlier, this function rejects, and its caller tries again.
    next.on('end', () => {
      isListening = false;
      if (!closing.signal.aborted) handlers.lost();
      void reconnect().catch(() => undefined);
    });
    isListening = true;
    return next;
  }

  async function reconnect(): Promise<void> {
    for (;;) {
      await sleep(reconnectMs, undefined, { signal: closing.signal });
      try {
        client = await listen();
        break;
      } catch {
        // The database still cannot be reached: wait and try again.
      }
    }
    if (closing.signal.aborted) await client.end();
    else handlers.reconnected();
  }

  return {
    isListening: () => isListening,
    announceWorker: async () => {
      isWorker = true;
      await client.query(holdWorkerLock);
    },
    close: async () => {
      closing.abort();
      await client.end();
    },
  };
}
