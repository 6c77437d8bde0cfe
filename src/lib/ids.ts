import { createHash } from 'node:crypto';
import { stringify, v7 } from 'uuid';
import { toStorableText } from '../domain/storable.ts';

/** A new id for a row: a UUID of version 7, so that ids sort by the time they were made. */
export function newId(): string {
  return v7();
}

/** The id of the turn that a workspace starts under an idempotency key: the same for every retry. */
export function toTurnId(workspaceId: string, idempotencyKey: string): string {
  return toNamedId(`${workspaceId}\n${idempotencyKey}`);
}

/** The ids of what a tool call makes when it calls another agent: the same for every attempt of the call. */
export function toChildIds(toolCallKey: string): { conversationId: string; turnId: string } {
  return {
    conversationId: toNamedId(`${toolCallKey}\nconversation`),
    turnId: toNamedId(`${toolCallKey}\nturn`),
  };
}

/** The id under which a tool behind a gateway is pinned: the same for every call of `server:tool` through it. */
export function toInnerToolId(gatewayId: string, target: string): string {
  return toNamedId(`${gatewayId}\n${toStorableText(target)}`);
}

/** The first 16 bytes of SHA-256 over a name, in the layout that RFC 9562 gives to UUIDs of version 8. */
function toNamedId(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return stringify(bytes);
}
