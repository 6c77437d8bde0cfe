import type { Payload, PayloadCodec } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type proto from '@temporalio/proto';
import { isOwnType, maskText, maskValue } from './mask-value.ts';
import { isJson, toValue } from './payload-value.ts';

interface CleanOptions {
  codec: PayloadCodec;
  /** Whether texts are masked. */
  masks: boolean;
}

type Fields = Record<string, unknown>;

/** The parts of markers that the SDK itself writes and reads: the types of local activities, and the names of patches. */
const coreFields = new Set(['data', 'patch-data']);
const isPayloads = (value: unknown) => typeof value === 'object' && value !== null && 'payloads' in value;

/**
 * Decrypts the payloads of a history and takes the names of machines out of it, in place. Unless texts stay, everything
 * that a user, a model or a tool wrote is masked: the replay needs its shape alone.
 */
export async function cleanHistory({ events }: History, options: CleanOptions): Promise<void> {
  for (const event of events ?? []) await cleanFields(event as Fields, { ...options, numbers: false });
}

async function cleanFields(fields: Fields, options: CleanOptions & { numbers: boolean }): Promise<void> {
  const numbers = options.numbers || isOfOther(fields);
  for (const [name, value] of Object.entries(fields)) {
    if (coreFields.has(name) && isPayloads(value)) continue;
    if (name === 'identity') fields[name] = 'worker';
    else if (options.masks && ['reason', 'cause'].includes(name) && typeof value === 'string') {
      fields[name] = maskText(value);
    } else fields[name] = await cleanValue(value, { ...options, numbers });
  }
}

/** Returns whether an event is of a workflow that is none of Holdfast: its input and result are values of users. */
function isOfOther({ workflowType }: Fields): boolean {
  const name = (workflowType as { name?: string } | null | undefined)?.name;
  return name !== undefined && !isOwnType(name);
}

async function cleanValue(value: unknown, options: CleanOptions & { numbers: boolean }): Promise<unknown> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => cleanValue(item, options)));
  if (isPayload(value)) return cleanPayload(value, options);
  if (isFailure(value)) await openFailure(value, options);
  // The name of a sticky queue has the name of its worker's machine.
  if (isTaskQueue(value) && value.normalName) value.name = value.normalName;
  await cleanFields(value as Fields, options);
  return value;
}

async function cleanPayload(
  sealed: Payload,
  { codec, masks, numbers }: CleanOptions & { numbers: boolean },
): Promise<Payload> {
  const [payload = sealed] = await codec.decode([sealed]);
  const encoding = payload.metadata?.['encoding'] ?? new Uint8Array();
  const metadata = { encoding };
  const name = Buffer.from(encoding).toString();
  if (!masks || name === 'binary/null') return { ...payload, metadata: { ...payload.metadata, ...metadata } };
  if (!isJson(name)) return { metadata, data: new Uint8Array() };
  return { metadata, data: Buffer.from(JSON.stringify(maskValue(toValue(payload), { numbers }))) };
}

type Failure = proto.temporal.api.failure.v1.IFailure;

// Messages that were read from the wire have no classes, but all fields of their type.
const isPayload = (value: object): value is Payload => 'metadata' in value && 'data' in value;
const isFailure = (value: object): value is Failure => 'message' in value && 'stackTrace' in value;
const isTaskQueue = (value: object): value is { name: string; normalName?: string } => 'normalName' in value;

/** Moves the message of an encrypted failure to its field, and masks it. */
async function openFailure(failure: Failure, { codec, masks }: CleanOptions): Promise<void> {
  if (failure.encodedAttributes) {
    const [payload] = await codec.decode([failure.encodedAttributes]);
    const { message } = toValue(payload ?? {}) as { message: string };
    failure.message = message;
    failure.encodedAttributes = null;
  }
  failure.stackTrace = '';
  if (masks) failure.message = maskText(failure.message ?? '');
}
