import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec, Payload } from '@temporalio/common';
import { HoldfastError } from '../../domain/errors.ts';
import { createKeyRing, type KeyRing, type KeyRingOptions } from '../secrets/key-ring.ts';
import { createPayloadCodec } from './payload-codec.ts';

const field = 'holdfast-installation';

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

/**
 * Makes a codec name the installation in the metadata of each payload, and refuse payloads that another installation
 * wrote. A worker that polls the task queue of another installation then fails the workflow task before it runs any of
 * it; Temporal gives the task to another worker. Payloads of other programs name no installation and are accepted.
 * @throws HoldfastError `CONFLICT` from `decode`, for a payload of another installation
 */
function markPayloads(codec: PayloadCodec, installationId: string): PayloadCodec {
  const mark = Buffer.from(installationId);
  return {
    encode: async (payloads) =>
      (await codec.encode(payloads)).map((payload) => ({
        ...payload,
        metadata: { ...payload.metadata, [field]: mark },
      })),
    decode: async (payloads) => {
      for (const payload of payloads) refuseForeign(payload, installationId);
      return codec.decode(payloads);
    },
  };
}

function refuseForeign({ metadata }: Payload, installationId: string): void {
  const writer = metadata?.[field];
  if (!writer) return;
  const writerId = Buffer.from(writer).toString('utf8');
  if (writerId === installationId) return;
  throw new HoldfastError(
    'CONFLICT',
    `Refused: this belongs to the installation ${writerId}, but the database of this program is that of the ` +
      `installation ${installationId}. Stop this program, or give it a task queue of its own ` +
      '(HOLDFAST_TASK_QUEUE) or the database of that installation (DATABASE_URL).',
  );
}
