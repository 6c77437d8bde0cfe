import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { HoldfastError } from '../../domain/errors.ts';
import { findSealingKeyId, type KeyRing } from '../secrets/key-ring.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

const encoding = 'binary/encrypted';

/**
 * The same context for all payloads, since workflows and the Web UI decrypt them without knowing a workspace or record.
 */
const context = { workspaceId: '', recordId: '', purpose: 'temporal-payload' };

/**
 * Encrypts payloads as a whole, with their metadata, and names the key in the new metadata. `decode` returns a payload
 * unchanged when this codec did not encrypt it: a plain payload, or one of another codec.
 *
 * The SDK passes through the codec: inputs, results, failures with their details, heartbeats, memos, the arguments and
 * answers of signals, queries and updates (the current details are the answer to a query), and the summaries of
 * workflows and activities. It does not pass search attributes, headers, ids, names of types and task queues, codes of
 * failures, and the reasons of cancellations and terminations.
 * @throws HoldfastError `SECRETS_UNAVAILABLE` when the key of a payload is missing, or there is no key to seal with
 */
export function createPayloadCodec(keyRing: KeyRing): PayloadCodec {
  return {
    encode: (payloads) => settle(() => payloads.map((payload) => seal(keyRing, payload))),
    decode: (payloads) => settle(() => payloads.map((payload) => open(keyRing, payload))),
  };
}

/** Returns the result, or the error that `run` throws, as the promise that the SDK expects. */
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
    throw new HoldfastError(error.code, `A Temporal payload cannot be decrypted. ${error.message}`, {
      cause: error,
    });
  }
}

/** Checks the sealed bytes too, since other codecs use the same encoding and the same metadata field for the key. */
function isSealed({ metadata, data }: Payload): boolean {
  if (readText(metadata?.['encoding']) !== encoding) return false;
  return findSealingKeyId(data ?? new Uint8Array()) === readText(metadata?.['encryption-key-id']);
}

function readText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('utf8');
}
