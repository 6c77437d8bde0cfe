import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { HoldfastError } from '../domain/errors.ts';
import { createKeyRing, type KeyRing, type KeyRingOptions } from '../secrets/key-ring.ts';
import { createPayloadCodec } from './payload-codec.ts';

/** Under which keys values travel, and whether they do. */
export interface DataConverterOptions {
  encryption: KeyRingOptions;
  /** Whether payloads and failures are sealed; those that are sealed are opened in any case. */
  encryptPayloads: boolean;
}

/** A data converter with its one codec. */
export type HoldfastDataConverter = DataConverter & { payloadCodecs: [PayloadCodec] };

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** The converters are given as files, since the sandbox of workflows has copies of its own. */
function toWorkflowFile(name: string): string {
  return fileURLToPath(new URL(`../../workflows/${name}.${extension}`, import.meta.url));
}

/**
 * How values become payloads and back, for workers and clients alike: all that work on the same workflows need the same
 * keys. Encryption can be switched on and off while workflows run.
 * @throws HoldfastError `SECRETS_UNAVAILABLE` when payloads are to be encrypted and there is no key
 */
export function createDataConverter({
  encryption,
  encryptPayloads,
}: DataConverterOptions): HoldfastDataConverter {
  const keyRing = createKeyRing(encryption);
  const codec = createPayloadCodec(keyRing);
  const payloadConverterPath = toWorkflowFile('payload-converter');
  if (!encryptPayloads) return { payloadConverterPath, payloadCodecs: [{ ...codec, encode: passOn }] };
  requireKey(keyRing);
  const failureConverterPath = toWorkflowFile('failure-converter');
  return { payloadConverterPath, failureConverterPath, payloadCodecs: [codec] };
}

const passOn: PayloadCodec['encode'] = (payloads) => Promise.resolve(payloads);

function requireKey(keyRing: KeyRing): void {
  try {
    keyRing.currentKeyId();
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const message = `HOLDFAST_ENCRYPT_PAYLOADS is true, and nothing can be encrypted. ${error.message}`;
    throw new HoldfastError(error.code, message, { cause: error });
  }
}
