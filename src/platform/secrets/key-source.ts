import { readFileSync, statSync } from 'node:fs';
import { HoldfastError } from '../../domain/errors.ts';

/** The keys of a ring. The first is the current key, which seals. */
export interface EncryptionKey {
  id: string;
  key: Buffer;
}

/** Reads the keys of a ring. */
export interface KeySource {
  /**
   * Returns the present keys.
   * @throws HoldfastError `SECRETS_UNAVAILABLE` without keys, `INVALID_INPUT` for invalid ones
   */
  read: () => EncryptionKey[];
  /** Reads the keys again, even when the file seems unchanged. */
  reread: () => EncryptionKey[];
}

const keyBytes = 32;
const entryPattern = /^([A-Za-z0-9_-]{1,40}):([A-Za-z0-9+/_-]{42,44}={0,2})$/;

const howToSet =
  'Set HOLDFAST_ENCRYPTION_KEYS to <id>:<32 random bytes in base64>, or HOLDFAST_ENCRYPTION_KEYS_FILE to a file ' +
  'with such a line. A key is made by: echo "k1:$(openssl rand -base64 32)"';

function noKeys(): HoldfastError {
  return new HoldfastError(
    'SECRETS_UNAVAILABLE',
    `There is no encryption key, so credentials cannot be stored. ${howToSet}`,
  );
}

/**
 * Reads `id:base64key` entries, separated by commas or lines.
 * @throws HoldfastError `INVALID_INPUT` that names the position of an invalid entry, without its text
 */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.startsWith('#'));
  const keys = entries.map((entry, index) => parseEntry(entry, index + 1));
  const twice = keys.find(({ id }, index) => keys.findIndex((other) => other.id === id) !== index);
  if (twice) throw wrongKeys(`the id ${twice.id} is there twice`);
  return keys;
}

function parseEntry(entry: string, place: number): EncryptionKey {
  const [, id = '', encoded = ''] = entryPattern.exec(entry) ?? [];
  const key = Buffer.from(encoded, 'base64');
  if (id === '' || key.length !== keyBytes)
    throw wrongKeys(`entry ${place} is not <id>:<32 bytes in base64>`);
  return { id, key };
}

function wrongKeys(problem: string): HoldfastError {
  return new HoldfastError('INVALID_INPUT', `The encryption keys cannot be used: ${problem}. ${howToSet}`);
}

/** Creates a source of keys that never change. */
export function createFixedKeySource(text: string): KeySource {
  const keys = parseEncryptionKeys(text);
  const read = () => {
    if (keys.length === 0) throw noKeys();
    return keys;
  };
  return { read, reread: read };
}

/** Creates a source that reads a file again whenever it changes. The file may also be created later. */
export function createFileKeySource(file: string): KeySource {
  let known: { version: string; keys: EncryptionKey[] } | undefined;
  const load = (version: string) => {
    known = { version, keys: parseEncryptionKeys(readFileSync(file, 'utf8')) };
    if (known.keys.length === 0) throw noKeys();
    return known.keys;
  };
  return {
    read: () => {
      const version = findVersion(file);
      return known?.version === version ? known.keys : load(version);
    },
    reread: () => load(findVersion(file)),
  };
}

function findVersion(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!found) throw noKeys();
  return `${found.ino} ${found.mtimeNs} ${found.size}`;
}
