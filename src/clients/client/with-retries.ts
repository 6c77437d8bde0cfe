import { pause } from './pause.ts';
import { isTransient, toDelayMs, type RetryPolicy } from './retry-policy.ts';

/** Runs an operation until it succeeds, fails for good, or has used all attempts of the policy. */
export async function withRetries<Result>(
  operation: () => Promise<Result>,
  policy: RetryPolicy,
  signal?: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (!isTransient(error) || attempt >= policy.attempts) throw error;
      await pause(toDelayMs(policy, attempt, error), signal);
    }
  }
}
