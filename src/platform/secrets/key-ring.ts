import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { HoldfastError } from '../../domain/errors.ts';
import { noteUse } from '../lib/meter.ts';
import {
  createFileKeySource,
  createFixedKeySource,
  type EncryptionKey,
  type KeySource,
} from './key-source.ts';

/** The record that a sealed value belongs to. A value that is copied to another record cannot be opened there. */
export interface SealContext {
  workspaceId: string;
  /** The id of the row with the value. */
  recordId: string;
  /** The kind of the value, such as `connection`. */
  purpose: string;
}

/** An encrypted value, and the id of its key. */
export interface Sealed {
  sealed: Buffer;
  keyId: string;
}

/** Encrypts (seals) and decrypts (opens) small secrets. It never gives out a key. */
export interface KeyRing {
  /** @throws HoldfastError `SECRETS_UNAVAILABLE` when there is no key */
  seal: (plaintext: string, context: SealContext) => Sealed;
  /** @throws HoldfastError `SECRETS_UNAVAILABLE` when the key is missing, or the value or its context was changed */
  open: (sealed: Buffer, context: SealContext) => string;
  /** As `seal`, for bytes. */
  sealBytes: (plaintext: Uint8Array, context: SealContext) => Sealed;
  /** As `open`, for bytes. */
  openBytes: (sealed: Uint8Array, context: SealContext) => Buffer;
  /** Returns the id of the current key, which seals. @throws as `seal` */
  currentKeyId: () => string;
}

export interface KeyRingOptions {
  /** `id:base64key` entries; the first is the current key. They override the file. */
  keys?: string | undefined;
  /** A file with such entries, one a line; read again when it changes. */
  file?: string | undefined;
}

const algorithm = 'aes-256-gcm';
const formatVersion = 1;
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const boxedKeyBytes = ivBytes + keyBytes + tagBytes;
/** The number of bytes after the header of a sealed empty value. */
const leastSealedBytes = boxedKeyBytes + ivBytes + tagBytes;

/**
 * Builds a ring over its keys: AES-256-GCM with a fresh data key for each value, which is wrapped by the current
 * key. The context of a value is authenticated with it.
 * @throws HoldfastError `INVALID_INPUT` for invalid `keys`
 */
export function createKeyRing({ keys, file }: KeyRingOptions): KeyRing {
  const source = keys === undefined ? createFileKeySource(file ?? '') : createFixedKeySource(keys);
  const sealBytes: KeyRing['sealBytes'] = (plaintext, context) => {
    const key = currentKey(source);
    return { sealed: sealUnder(key, plaintext, context), keyId: key.id };
  };
  const openBytes: KeyRing['openBytes'] = (sealed, context) => {
    noteUse('credentialsDecrypted');
    const { keyId, header, boxedKey, box } = takeApart(Buffer.from(sealed));
    const key = findKey(source, keyId);
    try {
      const bound = bind(header, context);
      const dataKey = unbox(boxedKey, key.key, bound);
      return unbox(box, dataKey, bound);
    } catch {
      // The message of the cipher is left out, since it would help only an attacker.
      throw unreadable('it is not what was sealed for this record');
    }
  };
  return {
    seal: (plaintext, context) => sealBytes(Buffer.from(plaintext, 'utf8'), context),
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    sealBytes,
    openBytes,
    currentKeyId: () => currentKey(source).id,
  };
}

/** Reads the id of the key from sealed bytes; null for bytes that are not sealed. */
export function findSealingKeyId(bytes: Uint8Array): string | null {
  const [version, nameLength = 0] = bytes;
  if (version !== formatVersion || bytes.length < 2 + nameLength + leastSealedBytes) return null;
  return Buffer.from(bytes.subarray(2, 2 + nameLength)).toString('ascii');
}

function currentKey(source: KeySource): EncryptionKey {
  const [key] = source.read();
  if (!key) throw unreadable('there is no key');
  return key;
}

function findKey(source: KeySource, id: string): EncryptionKey {
  const byId = (key: EncryptionKey) => key.id === id;
  const key = source.read().find(byId) ?? source.reread().find(byId);
  if (!key) throw unreadable(`the encryption key ${id} is missing; add it to the keys again`);
  return key;
}

function unreadable(problem: string): HoldfastError {
  return new HoldfastError('SECRETS_UNAVAILABLE', `A stored secret cannot be read: ${problem}.`);
}

/** Layout: version, length of the key id, key id, wrapped data key, value; each box is nonce, ciphertext, tag. */
function sealUnder({ id, key }: EncryptionKey, plaintext: Uint8Array, context: SealContext): Buffer {
  const name = Buffer.from(id, 'ascii');
  const header = Buffer.concat([Buffer.from([formatVersion, name.length]), name]);
  const dataKey = randomBytes(keyBytes);
  const bound = bind(header, context);
  return Buffer.concat([header, box(dataKey, key, bound), box(plaintext, dataKey, bound)]);
}

function takeApart(sealed: Buffer) {
  const keyId = findSealingKeyId(sealed);
  if (keyId === null) throw unreadable('it is damaged');
  const bodyStart = 2 + keyId.length;
  return {
    header: sealed.subarray(0, bodyStart),
    keyId,
    boxedKey: sealed.subarray(bodyStart, bodyStart + boxedKeyBytes),
    box: sealed.subarray(bodyStart + boxedKeyBytes),
  };
}

/** Encodes the context as JSON, so that different contexts never have the same bytes. */
function bind(header: Buffer, { workspaceId, recordId, purpose }: SealContext): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify([workspaceId, recordId, purpose]), 'utf8')]);
}

function box(plaintext: Uint8Array, key: Buffer, bound: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(bound);
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function unbox(boxed: Buffer, key: Buffer, bound: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, boxed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(bound).setAuthTag(boxed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(boxed.subarray(ivBytes, -tagBytes)), decipher.final()]);
}
