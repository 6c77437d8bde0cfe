import { createHash } from 'node:crypto';

/**
 * Returns the idempotency key of a model call in one iteration of a turn, the same for every attempt that sees as many messages
 * which were sent while the turn runs.
 */
export function toModelCallKey(turnId: string, iteration: number, steered = 0): string {
  const place = `${turnId}\n${iteration}`;
  return createHash('sha256')
    .update(steered === 0 ? place : `${place}\n${steered}`)
    .digest('hex');
}
