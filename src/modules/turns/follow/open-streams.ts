import type { Database } from '../../../platform/database/connect-database.ts';
import type { KeyActor, Viewer } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { actsForOther } from '../../../domain/person.ts';
import { listCredentials, type Credential } from '../../workspaces/keys/credential-repository.ts';
import { listRunningSessions } from '../../workspaces/login/session-repository.ts';

/** The actor that opened a stream, with the rights that it had then. */
export type StreamOwner = Viewer & Pick<KeyActor, 'apiKeyId' | 'session' | 'expiresAt'>;

/** The open streams and waiting requests of one process. */
export interface OpenStreams {
  /**
   * Counts a stream, or a request that waits, until `signal` aborts. The returned signal aborts with it, and when the actor may
   * do or see less than it did: when its credential, a maker of that or its session has ended, or has lost scopes or reach.
   * @throws HoldfastError `TOO_MANY_STREAMS` when the key or its workspace has as many as it may have
   */
  open: (owner: StreamOwner, signal: AbortSignal) => AbortSignal;
}

interface OpenStreamsOptions {
  database: Pick<Database, 'lookUp'>;
  /** The maximum number of open streams of one API key. */
  mostPerKey: number;
  /** The maximum number of open streams of all API keys of one workspace. */
  mostPerWorkspace: number;
  /** How often the rights of the owners of open streams are read, in milliseconds. @default 2000 */
  checkMs?: number;
}

/** Keeps the open streams of this process. One query reads the rights of all; without streams nothing is read. */
export function createOpenStreams({
  database,
  mostPerKey,
  mostPerWorkspace,
  checkMs = 2_000,
}: OpenStreamsOptions): OpenStreams {
  const keys = new Map<string, Map<AbortController, StreamOwner>>();
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
    // Streams that open meanwhile are not among those that are asked about.
    const streams = [...keys.values()].flatMap((ofKey) => [...ofKey]);
    const owners = streams.map(([, owner]) => owner);
    const sessions = owners.flatMap(({ session }) => session?.id ?? []);
    const credentials = await listCredentials(database.lookUp, [...keys.keys()]);
    const running = sessions.length === 0 ? [] : await listRunningSessions(database.lookUp, sessions);
    const now = { credentials: new Map(credentials.map((one) => [one.id, one])), sessions: new Set(running) };
    for (const [stream, owner] of streams) if (!isCovered(owner, now)) stream.abort();
  }

  return {
    open: (owner, signal) => {
      const { workspaceId, apiKeyId } = owner;
      const streams = keys.get(apiKeyId) ?? new Map<AbortController, StreamOwner>();
      const open = workspaces.get(workspaceId) ?? 0;
      if (streams.size >= mostPerKey) throw tooManyStreams('API key', mostPerKey);
      if (open >= mostPerWorkspace) throw tooManyStreams('workspace', mostPerWorkspace);
      const stream = new AbortController();
      stream.signal.addEventListener('abort', () => {
        streams.delete(stream);
        if (streams.size === 0) keys.delete(apiKeyId);
        const left = (workspaces.get(workspaceId) ?? 0) - 1;
        if (left > 0) workspaces.set(workspaceId, left);
        else workspaces.delete(workspaceId);
      });
      keys.set(apiKeyId, streams.set(stream, owner));
      workspaces.set(workspaceId, open + 1);
      const abort = () => stream.abort();
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      scheduleCheck();
      return stream.signal;
    },
  };
}

/** The credentials and the running sessions of the owners of open streams. */
interface Present {
  credentials: ReadonlyMap<string, Credential>;
  sessions: ReadonlySet<string>;
}

/** Returns true while the owner of a stream may do and see all that it could when the stream was opened. */
function isCovered(owner: StreamOwner, { credentials, sessions }: Present): boolean {
  const { apiKeyId, session, expiresAt, scopes = [], reach, actsFor = null } = owner;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return false;
  if (session && !sessions.has(session.id)) return false;
  const now = credentials.get(apiKeyId);
  if (!now || now.problem !== null || !scopes.every((scope) => now.scopes.includes(scope))) return false;
  return now.reach === 'workspace' || (reach !== 'workspace' && !actsForOther(now.actsFor, actsFor));
}

function tooManyStreams(owner: 'API key' | 'workspace', most: number): HoldfastError {
  const setting = owner === 'workspace' ? 'HOLDFAST_STREAMS_PER_WORKSPACE' : 'HOLDFAST_STREAMS_PER_KEY';
  const message =
    `This ${owner} has ${most} open streams and waiting requests, the most that one process of the API lets it have. ` +
    `Close streams that nobody reads, wait less, or raise ${setting}.`;
  return new HoldfastError('TOO_MANY_STREAMS', message, { details: { most } });
}
