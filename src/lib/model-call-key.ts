import { createHash } from 'node:crypto';

/** Returns the idempotency key of a model call in one iteration of a turn, the same for every attempt. */
export function toModelCallKey(turnId: string, iteration: number): string {
  return createHash('sha256').update(`${turnId}\n${iteration}`).digest('hex');
}
