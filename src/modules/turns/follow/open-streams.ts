import type { Database } from '../../../platform/database/connect-database.ts';
import { createApiKeyRepository } from '../../workspaces/keys/api-key-repository.ts';
import { listEndedSessions } from '../../workspaces/login/session-repository.ts';
import { HoldfastError } from '../../../domain/errors.ts';

/** The API key of a stream, its workspace, and the session with which its browser came in. */
export interface StreamOwner {
  workspaceId: string;
  apiKeyId: string;
  session?: { id: string };
}

/** The open streams and waiting requests of one process. */
export interface OpenStreams {
  /**
   * Counts a stream, or a request that waits, until `signal` aborts. The returned signal aborts with it, and when the key is
   * revoked or has expired, or the session is over.
   * @throws HoldfastError `TOO_MANY_STREAMS` when the key or its workspace has as many as it may have
   */
  open: (owner: StreamOwner, signal: AbortSignal) => AbortSignal;
}

interface OpenStreamsOptions {
  database: Pick<Database, 'system'>;
  /** The most open streams of one API key. */
  mostPerKey: number;
  /** The most open streams of all API keys of one workspace. */
  mostPerWorkspace: number;
  /** How often the keys of open streams are looked up, in milliseconds. @default 2000 */
  checkMs?: number;
}

/** Keeps the open streams of this process. One query looks up all their keys; without streams nothing is looked up. */
export function createOpenStreams({
  database,
  mostPerKey,
  mostPerWorkspace,
  checkMs = 2_000,
}: OpenStreamsOptions): OpenStreams {
  const keys = new Map<string, Set<AbortController>>();
  const sessions = new Map<AbortController, string>();
  const workspaces = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function scheduleCheck(): void {
    timer ??= setTimeout(() => {
      // While the database is unreachable keys cannot be checked: streams stay open until a later check.
      endStreams()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          if (keys.size > 0) scheduleCheck();
        });
    }, checkMs).unref();
  }

  async function endStreams(): Promise<void> {
    const ended = await createApiKeyRepository(database.system).listUnusableIds([...keys.keys()]);
    for (const id of ended) for (const stream of keys.get(id) ?? []) stream.abort();
    const over = new Set(await listEndedSessions(database.system, [...new Set(sessions.values())]));
    for (const [stream, id] of sessions) if (over.has(id)) stream.abort();
  }

  return {
    open: ({ workspaceId, apiKeyId, session }, signal) => {
      const streams = keys.get(apiKeyId) ?? new Set();
      const open = workspaces.get(workspaceId) ?? 0;
      if (streams.size >= mostPerKey) throw tooManyStreams('API key', mostPerKey);
      if (open >= mostPerWorkspace) throw tooManyStreams('workspace', mostPerWorkspace);
      const stream = new AbortController();
      stream.signal.addEventListener('abort', () => {
        streams.delete(stream);
        sessions.delete(stream);
        if (streams.size === 0) keys.delete(apiKeyId);
        const left = (workspaces.get(workspaceId) ?? 0) - 1;
        if (left > 0) workspaces.set(workspaceId, left);
        else workspaces.delete(workspaceId);
      });
      keys.set(apiKeyId, streams.add(stream));
      if (session) sessions.set(stream, session.id);
      workspaces.set(workspaceId, open + 1);
      const abort = () => stream.abort();
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      scheduleCheck();
      return stream.signal;
    },
  };
}

function tooManyStreams(owner: 'API key' | 'workspace', most: number): HoldfastError {
  const setting = owner === 'workspace' ? 'HOLDFAST_STREAMS_PER_WORKSPACE' : 'HOLDFAST_STREAMS_PER_KEY';
  const message =
    `This ${owner} has ${most} open streams and waiting requests, the most that one process of the API lets it have. ` +
    `Close streams that nobody reads, wait less, or raise ${setting}.`;
  return new HoldfastError('TOO_MANY_STREAMS', message, { details: { most } });
}
