import { createHash } from 'node:crypto';
import type { TurnInput } from '../../domain/turn.ts';

/** Returns SHA-256, in hex, over all fields of a request: it differs for two different requests under one idempotency key. */
export function toRequestHash(
  conversationId: string,
  { message, onBusy, now = false, expectedTurnId, confirmRollback, actingFor, responseSchema }: TurnInput,
): string {
  // Without the other fields, the hash is that of versions which did not have them.
  const isPlain = expectedTurnId === undefined && confirmRollback === undefined && actingFor === undefined;
  const person = actingFor === undefined ? [] : [actingFor];
  const others = isPlain ? [] : [expectedTurnId ?? null, confirmRollback ?? null, ...person];
  const schema = responseSchema === undefined ? [] : [{ responseSchema }];
  const haste = now ? [{ now }] : [];
  return createHash('sha256')
    .update(JSON.stringify([conversationId, message, onBusy, ...others, ...schema, ...haste]))
    .digest('hex');
}
