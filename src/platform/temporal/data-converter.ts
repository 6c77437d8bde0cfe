import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { HoldfastError } from '../../domain/errors.ts';
import { createKeyRing, type KeyRing, type KeyRingOptions } from '../secrets/key-ring.ts';
import { markPayloads } from './mark-payloads.ts';
import { createPayloadCodec } from './payload-codec.ts';

/** The keys that payloads are encrypted with, and whether they are encrypted. */
export interface DataConverterOptions {
  encryption: KeyRingOptions;
  /** Whether payloads and failures are encrypted. Encrypted payloads are always decrypted. */
  encryptPayloads: boolean;
  /** Payloads name this installation, and those of another one are refused. @default none, and none is refused */
  installationId?: string;
}

/** A data converter with its one codec. */
export type HoldfastDataConverter = DataConverter & { payloadCodecs: [PayloadCodec] };

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** The SDK expects paths of converter files, because the workflow sandbox loads its own copies. */
function toWorkflowFile(name: string): string {
  return fileURLToPath(new URL(`../../../workflows/${name}.${extension}`, import.meta.url));
}

/**
 * Creates the data converter of workers and clients, which turns values into payloads and back. All programs that work
 * on the same workflows need the same keys. Encryption can be switched on and off while workflows run.
 * @throws HoldfastError `SECRETS_UNAVAILABLE` when payloads are to be encrypted and there is no key
 */
export function createDataConverter({
  encryption,
  encryptPayloads,
  installationId,
}: DataConverterOptions): HoldfastDataConverter {
  const keyRing = createKeyRing(encryption);
  const codec = createPayloadCodec(keyRing);
  const marked = (inner: PayloadCodec): [PayloadCodec] => [
    installationId === undefined ? inner : markPayloads(inner, installationId),
  ];
  const payloadConverterPath = toWorkflowFile('payload-converter');
  if (!encryptPayloads) return { payloadConverterPath, payloadCodecs: marked({ ...codec, encode: passOn }) };
  requireKey(keyRing);
  const failureConverterPath = toWorkflowFile('failure-converter');
  return { payloadConverterPath, failureConverterPath, payloadCodecs: marked(codec) };
}

const passOn: PayloadCodec['encode'] = (payloads) => Promise.resolve(payloads);

function requireKey(keyRing: KeyRing): void {
  try {
    keyRing.currentKeyId();
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const message = `HOLDFAST_ENCRYPT_PAYLOADS is true, but payloads cannot be encrypted. ${error.message}`;
    throw new HoldfastError(error.code, message, { cause: error });
  }
}
