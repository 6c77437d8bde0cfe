import { createHash } from 'node:crypto';

/**
 * Returns the idempotency key of a model call in one iteration of a turn, the same for every attempt that sees as many messages
 * which were sent while the turn runs.
 */
export function toModelCallKey(turnId: string, iteration: number, steered = 0): string {
  const key = hash(`${turnId}\n${iteration}`);
  return steered === 0 ? key : key.slice(0, placeLength) + hash(`${key}\n${steered}`).slice(placeLength);
}

/** Whether a key is one of an iteration, however many messages its call sees. */
export function isKeyOfIteration(key: string, turnId: string, iteration: number): boolean {
  return key.slice(0, placeLength) === toModelCallKey(turnId, iteration).slice(0, placeLength);
}

/** The part of a key that names the turn and the iteration, in hexadecimal digits. */
const placeLength = 48;

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
