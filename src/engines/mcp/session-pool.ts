import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import { unlessAborted } from '../../platform/lib/unless-aborted.ts';
import type { McpSession } from './mcp-session.ts';
import type { McpEndpoint } from './target.ts';

/** How sessions are opened, how long they are kept, and how many there may be. */
export interface PoolOptions {
  /** An idle session is closed after this long. */
  idleMs: number;
  /** A session of this age is replaced by a new one. */
  maxAgeMs: number;
  /** The most sessions in all; an idle session is closed to open a new one. */
  maxSessions: number;
  /** The most sessions of one workspace. */
  maxSessionsPerWorkspace: number;
  /** Opens a session; the signal fires when the pool is closed. */
  connect: (endpoint: McpEndpoint, signal: AbortSignal) => Promise<McpSession>;
}

/** The use of a session by one call. */
export interface Lease {
  session: McpSession;
  release: () => void;
}

/** One open session for each key of an endpoint, shared by all calls. */
export interface SessionPool {
  /**
   * Lends the session with a server, and opens it when there is none. `signal` ends the wait for it.
   * @throws ToolInterruptedError TOOL_UNAVAILABLE when the most sessions are in use
   */
  lend: (endpoint: McpEndpoint, signal: AbortSignal) => Promise<Lease>;
  /** Returns the open, healthy session with a server, or null. It is not lent, so it may be closed at any time. */
  find: (endpoint: McpEndpoint) => McpSession | null;
  /** Gives a session to no new call, and closes it when its last call has ended. */
  retire: (endpoint: McpEndpoint, session: McpSession) => void;
  /** Retires the sessions with one server, under any identity, or with all; waits until idle ones are closed. */
  disconnect: (endpointId?: string) => Promise<void>;
  /** Counts the sessions that are open or being opened. */
  size: () => number;
  /** Closes every session and refuses new ones. */
  close: () => Promise<void>;
}

interface Entry {
  endpoint: McpEndpoint;
  opening: Promise<McpSession>;
  session: McpSession | null;
  openedAt: number;
  users: number;
  retired: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Holds every session that is not closed: `live` are all of them, `current` the ones that new calls get. */
function createEntries(options: PoolOptions) {
  const current = new Map<string, Entry>();
  const live = new Set<Entry>();
  const closing = new Set<Promise<void>>();
  const ending = new AbortController();

  const close = (entry: Entry): void => {
    if (!live.delete(entry)) return;
    clearTimeout(entry.idleTimer);
    const done = entry.opening.then((session) => session.close()).catch(() => undefined);
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
    const state = { session: null, users: 0, retired: false, idleTimer: undefined };
    const entry: Entry = { endpoint, opening, openedAt: Date.now(), ...state };
    current.set(endpoint.key, entry);
    live.add(entry);
    opening.then(
      (session) => (entry.session = session),
      () => retire(entry),
    );
    return entry;
  };

  /** Closes idle sessions until fewer than `limit` of those that match are left; false when too many are in use. */
  const evictIdle = (limit: number, matches: (entry: Entry) => boolean): boolean => {
    const matching = [...live].filter(matches);
    const idle = matching.filter(({ users }) => users === 0);
    for (const entry of idle.slice(0, Math.max(0, matching.length - limit + 1))) retire(entry);
    return matching.length - idle.length < limit;
  };

  const waitForClosing = async (): Promise<void> => {
    await Promise.all(closing);
  };

  const closeAll = async (): Promise<void> => {
    current.clear();
    ending.abort();
    for (const entry of live) close(entry);
    await waitForClosing();
  };

  return { current, live, open, retire, close, evictIdle, waitForClosing, closeAll };
}

function poolExhausted({ label }: McpEndpoint, owner: string): ToolInterruptedError {
  const message = `The MCP server "${label}" was not connected to: all MCP sessions of ${owner} are in use.`;
  return new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: false });
}

/** Creates an empty pool. */
export function createSessionPool(options: PoolOptions): SessionPool {
  const entries = createEntries(options);
  let closed = false;

  const isUsable = (entry: Entry): boolean =>
    Date.now() - entry.openedAt < options.maxAgeMs && (entry.session?.isHealthy() ?? true);

  const open = (endpoint: McpEndpoint): Entry => {
    const isOfWorkspace = (entry: Entry) => entry.endpoint.workspaceId === endpoint.workspaceId;
    if (!entries.evictIdle(options.maxSessionsPerWorkspace, isOfWorkspace)) {
      throw poolExhausted(endpoint, 'the workspace');
    }
    if (!entries.evictIdle(options.maxSessions, () => true)) throw poolExhausted(endpoint, 'this process');
    return entries.open(endpoint);
  };

  const acquire = (endpoint: McpEndpoint): Entry => {
    if (closed) throw new Error('the MCP sessions have been closed');
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
        const session = await unlessAborted(signal, () => entry.opening);
        return { session, release: () => release(entry) };
      } catch (error) {
        release(entry);
        throw error;
      }
    },
    find(endpoint) {
      const entry = entries.current.get(endpoint.key);
      return entry && isUsable(entry) ? entry.session : null;
    },
    retire(endpoint, session) {
      const entry = entries.current.get(endpoint.key);
      if (entry?.session === session) entries.retire(entry);
    },
    disconnect(endpointId) {
      for (const entry of entries.live) {
        if (endpointId === undefined || entry.endpoint.id === endpointId) entries.retire(entry);
      }
      return entries.waitForClosing();
    },
    size: () => entries.live.size,
    close() {
      closed = true;
      return entries.closeAll();
    },
  };
}
