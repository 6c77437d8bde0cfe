import { ToolInterruptedError } from '../domain/tool-interrupted.ts';
import type { McpConnection } from './connection.ts';
import type { McpEndpoint } from './target.ts';

/** How connections are made, how long they are kept and how many. */
export interface PoolOptions {
  /** An unused connection is closed after this long. */
  idleMs: number;
  /** A connection of this age is replaced by a new one. */
  maxAgeMs: number;
  /** In all; an unused connection makes room for a new one. */
  maxConnections: number;
  /** Of one workspace, so that it cannot take the room of all others. */
  maxConnectionsPerWorkspace: number;
  /** Gives up when the signal fires, which it does when the pool is closed. */
  connect: (endpoint: McpEndpoint, signal: AbortSignal) => Promise<McpConnection>;
}

/** The use of a connection by one call. */
export interface Lease {
  connection: McpConnection;
  release: () => void;
}

/** One live connection for each key of an endpoint, shared by all calls. */
export interface ConnectionPool {
  /**
   * Lends the connection to a server, made now if there is none. `signal` ends the waiting for it.
   * @throws ToolInterruptedError TOOL_UNAVAILABLE when there is no room for another connection
   */
  lend: (endpoint: McpEndpoint, signal: AbortSignal) => Promise<Lease>;
  /** The connection that is open to a server and well, if there is one; it is not kept for whoever looks. */
  find: (endpoint: McpEndpoint) => McpConnection | null;
  /** Takes a connection out of use; it is closed when its last call has ended. */
  retire: (endpoint: McpEndpoint, connection: McpConnection) => void;
  /** Takes every connection to a server out of use, under whatever identity, and waits for those without calls. */
  disconnect: (endpointId?: string) => Promise<void>;
  /** How many connections are open or being opened. */
  size: () => number;
  /** Closes every connection and refuses new ones. */
  close: () => Promise<void>;
}

interface Entry {
  endpoint: McpEndpoint;
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
    if (current.get(entry.endpoint.key) === entry) current.delete(entry.endpoint.key);
    if (entry.users === 0) close(entry);
  };

  const open = (endpoint: McpEndpoint): Entry => {
    const opening = options.connect(endpoint, ending.signal);
    const state = { connection: null, users: 0, retired: false, idleTimer: undefined };
    const entry: Entry = { endpoint, opening, openedAt: Date.now(), ...state };
    current.set(endpoint.key, entry);
    live.add(entry);
    opening.then(
      (connection) => (entry.connection = connection),
      () => retire(entry),
    );
    return entry;
  };

  /** Closes connections that nobody uses until fewer than `limit` of a kind are left. False when that cannot be. */
  const makeRoom = (limit: number, isOfKind: (entry: Entry) => boolean): boolean => {
    const kind = [...live].filter(isOfKind);
    const idle = kind.filter(({ users }) => users === 0);
    for (const entry of idle.slice(0, Math.max(0, kind.length - limit + 1))) retire(entry);
    return kind.length - idle.length < limit;
  };

  const settle = async (): Promise<void> => {
    await Promise.all(closing);
  };

  const closeAll = async (): Promise<void> => {
    current.clear();
    ending.abort();
    for (const entry of live) close(entry);
    await settle();
  };

  return { current, live, open, retire, close, makeRoom, settle, closeAll };
}

function noRoom({ label }: McpEndpoint, whose: string): ToolInterruptedError {
  const message = `The MCP server "${label}" was not connected to: ${whose} connections to MCP servers are all in use.`;
  return new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: false });
}

/** Builds an empty pool. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const entries = createEntries(options);
  let closed = false;

  const isUsable = (entry: Entry): boolean =>
    Date.now() - entry.openedAt < options.maxAgeMs && (entry.connection?.isHealthy() ?? true);

  const open = (endpoint: McpEndpoint): Entry => {
    const isSame = (entry: Entry) => entry.endpoint.workspaceId === endpoint.workspaceId;
    if (!entries.makeRoom(options.maxConnectionsPerWorkspace, isSame)) {
      throw noRoom(endpoint, "the workspace's");
    }
    if (!entries.makeRoom(options.maxConnections, () => true)) throw noRoom(endpoint, "this process's");
    return entries.open(endpoint);
  };

  const acquire = (endpoint: McpEndpoint): Entry => {
    if (closed) throw new Error('the MCP connections have been closed');
    const existing = entries.current.get(endpoint.key);
    if (existing && !isUsable(existing)) entries.retire(existing);
    const entry = entries.current.get(endpoint.key) ?? open(endpoint);
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
    async lend(endpoint, signal) {
      const entry = acquire(endpoint);
      try {
        const connection = await waitFor(entry.opening, signal);
        return { connection, release: () => release(entry) };
      } catch (error) {
        release(entry);
        throw error;
      }
    },
    find(endpoint) {
      const entry = entries.current.get(endpoint.key);
      return entry && isUsable(entry) ? entry.connection : null;
    },
    retire(endpoint, connection) {
      const entry = entries.current.get(endpoint.key);
      if (entry?.connection === connection) entries.retire(entry);
    },
    disconnect(endpointId) {
      for (const entry of entries.live) {
        if (endpointId === undefined || entry.endpoint.id === endpointId) entries.retire(entry);
      }
      return entries.settle();
    },
    size: () => entries.live.size,
    close() {
      closed = true;
      return entries.closeAll();
    },
  };
}
