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
  /** The most open streams of one API key. */
  mostPerKey: number;
  /** The most open streams of all API keys of one workspace. */
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
    const owners = [...keys.values()].flatMap((streams) => [...streams.values()]);
    const ofSessions = new Set(owners.flatMap(({ session }) => session?.id ?? []));
    const credentials = await listCredentials(database.lookUp, [...keys.keys()]);
    const running = ofSessions.size === 0 ? [] : await listRunningSessions(database.lookUp, [...ofSessions]);
    const now = new Map(credentials.map((credential) => [credential.id, credential]));
    for (const [id, streams] of keys)
      for (const [stream, owner] of streams) {
        const { session, expiresAt } = owner;
        const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
        const isOut = session !== undefined && !running.includes(session.id);
        if (isOver || isOut || !isCovered(owner, now.get(id))) stream.abort();
      }
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

/** Returns true while a credential may do and see all that the owner of a stream could when it was opened. */
function isCovered({ scopes = [], reach, actsFor = null }: StreamOwner, now?: Credential): boolean {
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
