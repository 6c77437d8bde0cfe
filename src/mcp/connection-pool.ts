import type { McpConnection } from './connection.ts';

/** How connections are made and how long they are kept. */
export interface PoolOptions {
  /** An unused connection is closed after this long. */
  idleMs: number;
  /** A connection of this age is replaced by a new one. */
  maxAgeMs: number;
  /** Gives up when the signal fires, which it does when the pool is closed. */
  connect: (server: string, signal: AbortSignal) => Promise<McpConnection>;
}

/** The use of a connection by one call. */
export interface Lease {
  connection: McpConnection;
  release: () => void;
}

/** One live connection for each server, shared by all calls. */
export interface ConnectionPool {
  /** Lends the connection to a server, made now if there is none. `signal` ends the waiting for it. */
  lend: (server: string, signal: AbortSignal) => Promise<Lease>;
  /** Takes a connection out of use; it is closed when its last call has ended. */
  retire: (server: string, connection: McpConnection) => void;
  /** Closes every connection and refuses new ones. */
  close: () => Promise<void>;
}

interface Entry {
  server: string;
  opening: Promise<McpConnection>;
  connection: McpConnection | null;
  openedAt: number;
  users: number;
  retired: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Waits for a promise for as long as a signal allows; the promise goes on for others who wait. */
async function waitFor<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const given = Promise.withResolvers<never>();
  const onAbort = () => given.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, given.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Every connection that is not closed, and which of them new calls get. */
function createEntries(options: PoolOptions) {
  const current = new Map<string, Entry>();
  const live = new Set<Entry>();
  const closing = new Set<Promise<void>>();
  const ending = new AbortController();

  const close = (entry: Entry): void => {
    if (!live.delete(entry)) return;
    clearTimeout(entry.idleTimer);
    const done = entry.opening.then((connection) => connection.close()).catch(() => undefined);
    closing.add(done);
    void done.finally(() => closing.delete(done));
  };

  const retire = (entry: Entry): void => {
    entry.retired = true;
    if (current.get(entry.server) === entry) current.delete(entry.server);
    if (entry.users === 0) close(entry);
  };

  const open = (server: string): Entry => {
    const opening = options.connect(server, ending.signal);
    const state = { connection: null, users: 0, retired: false, idleTimer: undefined };
    const entry: Entry = { server, opening, openedAt: Date.now(), ...state };
    current.set(server, entry);
    live.add(entry);
    opening.then(
      (connection) => (entry.connection = connection),
      () => retire(entry),
    );
    return entry;
  };

  const closeAll = async (): Promise<void> => {
    current.clear();
    ending.abort();
    for (const entry of live) close(entry);
    await Promise.all(closing);
  };

  return { current, open, retire, close, closeAll };
}

/** Builds an empty pool. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const entries = createEntries(options);
  let closed = false;

  const isUsable = (entry: Entry): boolean =>
    Date.now() - entry.openedAt < options.maxAgeMs && !entry.connection?.brokenBy();

  const acquire = (server: string): Entry => {
    if (closed) throw new Error('the MCP connections have been closed');
    const existing = entries.current.get(server);
    if (existing && !isUsable(existing)) entries.retire(existing);
    const entry = entries.current.get(server) ?? entries.open(server);
    entry.users += 1;
    clearTimeout(entry.idleTimer);
    return entry;
  };

  const release = (entry: Entry): void => {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.retired) entries.close(entry);
    else entry.idleTimer = setTimeout(() => entries.retire(entry), options.idleMs).unref();
  };

  return {
    async lend(server, signal) {
      const entry = acquire(server);
      try {
        const connection = await waitFor(entry.opening, signal);
        return { connection, release: () => release(entry) };
      } catch (error) {
        release(entry);
        throw error;
      }
    },
    retire(server, connection) {
      const entry = entries.current.get(server);
      if (entry?.connection === connection) entries.retire(entry);
    },
    close() {
      closed = true;
      return entries.closeAll();
    },
  };
}
