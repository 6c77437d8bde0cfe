import { createHash, randomFillSync } from 'node:crypto';
import { stringify, v7 } from 'uuid';
import { toStorableText } from '../../domain/storable.ts';

/** Random bytes for the next ids: one request for many takes about as long as one for the 16 of an id. */
const random = new Uint8Array(16 * 256);
let nextRandom = random.length;

/** The time and the number of the last id; ids of one millisecond are counted on from a random number. */
const last = { msecs: 0, seq: 0 };

/** Returns a new id for a row: a UUID of version 7, so that ids sort by the time of their creation. */
export function newId(): string {
  const bytes = takeRandom();
  const now = Date.now();
  last.seq =
    now > last.msecs ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) >>> 1 : last.seq + 1;
  last.msecs = Math.max(now, last.msecs);
  return v7({ random: bytes, ...last });
}

function takeRandom(): Uint8Array {
  if (nextRandom === random.length) {
    randomFillSync(random);
    nextRandom = 0;
  }
  nextRandom += 16;
  return random.subarray(nextRandom - 16, nextRandom);
}

/** Returns the id of the turn that a workspace starts under an idempotency key, the same for every retry. */
export function toTurnId(workspaceId: string, idempotencyKey: string): string {
  return toNamedId(`${workspaceId}\n${idempotencyKey}`);
}

/** Returns the id of the conversation that a workspace forks under an idempotency key, the same for every retry. */
export function toForkId(workspaceId: string, idempotencyKey: string): string {
  return toNamedId(`${workspaceId}\nfork\n${idempotencyKey}`);
}

/** Returns an id that a request makes under its key, the same for every repetition; `use` says for what. */
export function toKeyedId(workspaceId: string, use: string, key: string): string {
  return toNamedId(`${use}\n${workspaceId}\n${key}`);
}

/** Returns the ids of what a schedule starts for one time, the same for every attempt. */
export function toScheduledIds(scheduleId: string, scheduledAt: string) {
  const place = `schedule\n${scheduleId}\n${scheduledAt}`;
  return {
    conversationId: toNamedId(`${place}\nconversation`),
    turnId: toNamedId(`${place}\nturn`),
    replayId: toNamedId(`${place}\nreplay`),
  };
}

/**
 * Returns the ids of what a delivery to a trigger starts, the same for every attempt. Deliveries with one
 * `conversationKey` share a conversation.
 */
export function toTriggeredIds(triggerId: string, deliveryKey: string, conversationKey: string | null) {
  const ofConversation = conversationKey === null ? `delivery\n${deliveryKey}` : `key\n${conversationKey}`;
  return {
    conversationId: toNamedId(`trigger\n${triggerId}\nconversation\n${ofConversation}`),
    turnId: toNamedId(`trigger\n${triggerId}\nturn\n${deliveryKey}`),
  };
}

/** Returns the id of the turn that runs in a fork. */
export function toForkedTurnId(conversationId: string): string {
  return toNamedId(`${conversationId}\nforked turn`);
}

/** Returns the ids of the conversation and turn of a call to another agent, the same for every attempt of the call. */
export function toChildIds(toolCallKey: string): { conversationId: string; turnId: string } {
  return {
    conversationId: toNamedId(`${toolCallKey}\nconversation`),
    turnId: toNamedId(`${toolCallKey}\nturn`),
  };
}

/** Returns the id of the swarm that a workspace starts under an idempotency key, the same for every retry. */
export function toSwarmId(workspaceId: string, idempotencyKey: string): string {
  return toNamedId(`${workspaceId}\nswarm\n${idempotencyKey}`);
}

/** Returns the id of an imported row, the same for every import of the same id of a file into a workspace. */
export function toImportedId(workspaceId: string, kind: string, id: string): string {
  return toNamedId(`imported\n${workspaceId}\n${kind}\n${id}`);
}

/** Returns the id under which a gateway's tool `server:tool` is pinned. */
export function toInnerToolId(gatewayId: string, target: string): string {
  return toNamedId(`${gatewayId}\n${toStorableText(target)}`);
}

/** Returns the first 16 bytes of SHA-256 over a name as a UUID of version 8 (RFC 9562). */
function toNamedId(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return stringify(bytes);
}
