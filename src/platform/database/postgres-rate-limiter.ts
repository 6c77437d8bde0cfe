import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { HoldfastError } from '../../domain/errors.ts';
import type { RateLimiter, RateLimitRequest } from '../../domain/rate-limiter.ts';

interface RateLimiterOptions {
  /** How long a budget lasts, in seconds. @default 60 */
  windowSeconds?: number;
}

/** How many limiters a process keeps, one for each number of tokens per minute; each is a few fields. */
const rememberedLimits = 1000;

/**
 * Stores budgets in the table `rate_limits`, so that all processes share them. It needs `system`, since the rows belong
 * to no workspace: their key is the random id of a connection.
 */
export function createRateLimiter(
  system: Knex,
  { windowSeconds = 60 }: RateLimiterOptions = {},
): RateLimiter {
  const build = (points: number, clearExpiredByTimeout: boolean) =>
    new RateLimiterPostgres({
      storeClient: system,
      storeType: 'knex',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: 'connection',
      points,
      duration: windowSeconds,
      clearExpiredByTimeout,
      // A budget that is used up is remembered until its window ends, without asking the database again.
      inMemoryBlockOnConsumed: points,
    });
  // This limiter deletes the expired rows of all limiters, every five minutes; its timer keeps no process alive.
  build(1, true);
  const limiters = new LRUCache<number, RateLimiterPostgres>({
    max: rememberedLimits,
    memoMethod: (points) => build(points, false),
  });

  return {
    take: async (request) => {
      const { limit, maxWaitMs, signal } = request;
      if (limit.tokensPerRequest > limit.tokensPerMinute) return { granted: false, retryAfterMs: null };
      const deadline = Date.now() + maxWaitMs;
      for (;;) {
        signal?.throwIfAborted();
        const waitMs = await consume(limiters.memo(limit.tokensPerMinute), request);
        if (waitMs === 0) return { granted: true };
        if (Date.now() + waitMs > deadline) return { granted: false, retryAfterMs: waitMs };
        await wait(waitMs, signal);
      }
    },
  };
}

/** Takes from a budget. Returns 0, or the milliseconds until the budget is full again when it has too little left. */
async function consume(limiter: RateLimiterPostgres, { key, limit }: RateLimitRequest): Promise<number> {
  try {
    await limiter.consume(key, limit.tokensPerRequest);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
    const message = 'The rate limit of the connection cannot be read now.';
    throw new HoldfastError('SERVICE_UNAVAILABLE', message, { cause: error });
  }
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
