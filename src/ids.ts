import { createHash } from 'node:crypto';
import { stringify, v7 } from 'uuid';

/** A new id for a row: a UUID of version 7, so that ids sort by the time they were made. */
export function newId(): string {
  return v7();
}

/**
 * The id of the turn that a workspace starts under an idempotency key: the same for every retry.
 * The first 16 bytes of SHA-256 over both, in the layout that RFC 9562 gives to UUIDs of version 8.
 */
export function toTurnId(workspaceId: string, idempotencyKey: string): string {
  const bytes = createHash('sha256').update(`${workspaceId}\n${idempotencyKey}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return stringify(bytes);
}
