import type { Database } from '../../db/connect-database.ts';
import { createApiKeyRepository } from '../../db/workspaces/api-key-repository.ts';
import { HoldfastError } from '../../domain/errors.ts';

/** The open streams of one process, by the API key that opened them. */
export interface OpenStreams {
  /**
   * Counts a stream until `signal` aborts. The returned signal aborts with it, and when the key is revoked or has expired.
   * @throws HoldfastError `TOO_MANY_STREAMS` when the key has as many open streams as it may have
   */
  open: (apiKeyId: string, signal: AbortSignal) => AbortSignal;
}

interface OpenStreamsOptions {
  database: Pick<Database, 'system'>;
  /** The most open streams of one API key. */
  mostPerKey: number;
  /** How often the keys of open streams are looked up, in milliseconds. @default 2000 */
  checkMs?: number;
}

/** Keeps the open streams of this process. One query looks up all their keys; without streams nothing is looked up. */
export function createOpenStreams({
  database,
  mostPerKey,
  checkMs = 2_000,
}: OpenStreamsOptions): OpenStreams {
  const keys = new Map<string, Set<AbortController>>();
  let timer: NodeJS.Timeout | undefined;

  function scheduleCheck(): void {
    timer ??= setTimeout(() => {
      // While the database is away nobody can say whether a key is valid: streams stay open until it can be asked.
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
  }

  return {
    open: (apiKeyId, signal) => {
      const streams = keys.get(apiKeyId) ?? new Set();
      if (streams.size >= mostPerKey) throw tooManyStreams(mostPerKey);
      const stream = new AbortController();
      stream.signal.addEventListener('abort', () => {
        streams.delete(stream);
        if (streams.size === 0) keys.delete(apiKeyId);
      });
      keys.set(apiKeyId, streams.add(stream));
      const abort = () => stream.abort();
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      scheduleCheck();
      return stream.signal;
    },
  };
}

function tooManyStreams(most: number): HoldfastError {
  const message =
    `This API key has ${most} open streams of events, the most that one process of the API lets it have. ` +
    'Close streams that nobody reads, or raise HOLDFAST_STREAMS_PER_KEY.';
  return new HoldfastError('TOO_MANY_STREAMS', message, { details: { most } });
}
