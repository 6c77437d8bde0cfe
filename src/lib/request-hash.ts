import { createHash } from 'node:crypto';
import type { TurnInput } from '../domain/turn.ts';

/** What tells two requests under one idempotency key apart: SHA-256 in hex over all that a turn is asked for. */
export function toRequestHash(conversationId: string, { message, onBusy }: TurnInput): string {
  return createHash('sha256')
    .update(JSON.stringify([conversationId, message, onBusy]))
    .digest('hex');
}
