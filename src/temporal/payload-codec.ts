import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { HoldfastError } from '../domain/errors.ts';
import { findSealingKeyId, type KeyRing } from '../secrets/key-ring.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

const encoding = 'binary/encrypted';

/** A payload goes from one workflow to another and to the Web UI, which know no more of it than what it is. */
const context = { workspaceId: '', recordId: '', purpose: 'temporal-payload' };

/**
 * Seals payloads as a whole, their metadata too, and names the key beside what it sealed. What it has not sealed
 * itself it decodes as it is: plain payloads, from before it was switched on or from programs without it, and payloads
 * under codecs of other programs.
 *
 * The SDK gives it inputs, results, failures with their details, heartbeats, memos, the arguments and answers of
 * signals, queries and updates, the summaries of workflows and steps, and so the current details, which are the answer
 * to a query. It does not give it search attributes, headers, ids, names of types and task queues, codes of failures,
 * and the reasons of cancellations and terminations.
 * @throws HoldfastError `SECRETS_UNAVAILABLE` when the key of a payload is missing, or there is none to seal with
 */
export function createPayloadCodec(keyRing: KeyRing): PayloadCodec {
  return {
    encode: (payloads) => settle(() => payloads.map((payload) => seal(keyRing, payload))),
    decode: (payloads) => settle(() => payloads.map((payload) => open(keyRing, payload))),
  };
}

/** Nothing here waits, but the SDK takes promises. */
function settle(run: () => Payload[]): Promise<Payload[]> {
  return new Promise((resolve) => resolve(run()));
}

function seal(keyRing: KeyRing, payload: Payload): Payload {
  const { sealed, keyId } = keyRing.sealBytes(PayloadMessage.encode(payload).finish(), context);
  return {
    metadata: { encoding: Buffer.from(encoding), 'encryption-key-id': Buffer.from(keyId) },
    data: sealed,
  };
}

function open(keyRing: KeyRing, payload: Payload): Payload {
  const { data } = payload;
  if (!data || !isSealed(payload)) return payload;
  try {
    return PayloadMessage.decode(keyRing.openBytes(data, context));
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    throw new HoldfastError(error.code, `A Temporal payload can not be decrypted. ${error.message}`, {
      cause: error,
    });
  }
}

/** Other codecs use the same encoding and the same name for their keys. */
function isSealed({ metadata, data }: Payload): boolean {
  if (readText(metadata?.['encoding']) !== encoding) return false;
  return findSealingKeyId(data ?? new Uint8Array()) === readText(metadata?.['encryption-key-id']);
}

function readText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('utf8');
}
