import { createHash } from 'node:crypto';
import type { TurnInput } from '../domain/turn.ts';

/** Returns SHA-256, in hex, over everything that a turn is asked for; it differs for two requests under one idempotency key. */
export function toRequestHash(conversationId: string, { message, onBusy }: TurnInput): string {
  return createHash('sha256')
    .update(JSON.stringify([conversationId, message, onBusy]))
    .digest('hex');
}
