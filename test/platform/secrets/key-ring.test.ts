import { randomBytes } from 'node:crypto';
import {
  chownSync,
  lstatSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addKeyToFile, ensureKeyFile } from '../../../src/platform/secrets/key-file.ts';
import { createKeyRing, findSealingKeyId } from '../../../src/platform/secrets/key-ring.ts';

const context = { workspaceId: 'workspace', recordId: 'record', purpose: 'connection' };
const unavailable = expect.objectContaining({ code: 'SECRETS_UNAVAILABLE' }) as Error;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'key-ring-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function newEntry(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

describe('a key ring', () => {
  test('opens a value that it sealed, and the sealed value is unreadable', () => {
    const ring = createKeyRing({ keys: newEntry('k1') });
    const { sealed, keyId } = ring.seal('a very secret text ✓', context);
    expect(keyId).toBe('k1');
    for (const encoding of ['utf8', 'latin1'] as const)
      expect(sealed.toString(encoding)).not.toContain('secret');
    expect(ring.open(sealed, context)).toBe('a very secret text ✓');
  });

  test('opens binary values unchanged', () => {
    const ring = createKeyRing({ keys: newEntry('k1') });
    const bytes = randomBytes(300);
    const { sealed } = ring.sealBytes(bytes, context);
    expect(ring.openBytes(sealed, context).equals(bytes)).toBe(true);
    expect(findSealingKeyId(sealed)).toBe('k1');
    for (const other of [bytes.subarray(0, 20), Buffer.from('{"a":1}'), Buffer.alloc(0)])
      expect(findSealingKeyId(other)).toBeNull();
  });

  test('seals the same text differently each time', () => {
    const ring = createKeyRing({ keys: newEntry('k1') });
    const one = ring.seal('same', context).sealed;
    expect(ring.seal('same', context).sealed.equals(one)).toBe(false);
  });

  test.each(['workspaceId', 'recordId', 'purpose'] as const)(
    'does not open a value with another %s',
    (part) => {
      const ring = createKeyRing({ keys: newEntry('k1') });
      const { sealed } = ring.seal('text', context);
      expect(() => ring.open(sealed, { ...context, [part]: 'other' })).toThrow(unavailable);
    },
  );

  test('does not open a value in which any single bit was changed', () => {
    const ring = createKeyRing({ keys: newEntry('k1') });
    const { sealed } = ring.seal('text', context);
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      expect(() => ring.open(changed, context)).toThrow(unavailable);
    }
  });

  test('does not open a value that was cut at any place', () => {
    const ring = createKeyRing({ keys: newEntry('k1') });
    const { sealed } = ring.seal('text', context);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => ring.open(sealed.subarray(0, length), context)).toThrow(unavailable);
    }
  });

  test('does not open a value with another key of the same id', () => {
    const { sealed } = createKeyRing({ keys: newEntry('k1') }).seal('text', context);
    expect(() => createKeyRing({ keys: newEntry('k1') }).open(sealed, context)).toThrow(unavailable);
  });

  test('opens values with all of its keys and seals with the first', () => {
    const old = newEntry('old');
    const { sealed } = createKeyRing({ keys: old }).seal('text', context);
    const ring = createKeyRing({ keys: `${newEntry('new')}, ${old}` });
    expect(ring.open(sealed, context)).toBe('text');
    expect(ring.seal('text', context).keyId).toBe('new');
    expect(() => createKeyRing({ keys: newEntry('new') }).open(sealed, context)).toThrow(
      /key old is missing/,
    );
  });

  test('without keys throws an error that says how to set them', () => {
    const ring = createKeyRing({ file: path.join(folder, 'missing') });
    expect(() => ring.seal('text', context)).toThrow(unavailable);
    expect(() => ring.seal('text', context)).toThrow(/HOLDFAST_ENCRYPTION_KEYS/);
  });

  test.each(['k1', 'k1:short', 'k1:!!!!', `k 1:${'A'.repeat(43)}=`])(
    'refuses the key %j without quoting it',
    (keys) => {
      expect(() => createKeyRing({ keys })).toThrow(/entry 1/);
    },
  );

  test('refuses two keys with one id', () => {
    expect(() => createKeyRing({ keys: `${newEntry('k1')},${newEntry('k1')}` })).toThrow(/twice/);
  });
});

describe('a key ring with a file', () => {
  test('works once the file is created, which only its owner can read', () => {
    const file = path.join(folder, 'later', 'keys');
    const ring = createKeyRing({ file });
    expect(() => ring.currentKeyId()).toThrow(unavailable);
    ensureKeyFile(file);
    expect(ring.open(ring.seal('text', context).sealed, context)).toBe('text');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps an existing file', () => {
    const file = path.join(folder, 'kept');
    ensureKeyFile(file);
    const id = createKeyRing({ file }).currentKeyId();
    ensureKeyFile(file);
    expect(createKeyRing({ file }).currentKeyId()).toBe(id);
  });

  test('uses a key that another process added, to seal and to open', () => {
    const file = path.join(folder, 'rotated');
    ensureKeyFile(file);
    const [mine, theirs] = [createKeyRing({ file }), createKeyRing({ file })];
    const before = mine.seal('before', context);
    const added = addKeyToFile(file);
    expect(added).not.toBe(before.keyId);
    const after = theirs.seal('after', context);
    expect(after.keyId).toBe(added);
    expect(mine.open(after.sealed, context)).toBe('after');
    expect(mine.currentKeyId()).toBe(added);
    expect(mine.open(before.sealed, context)).toBe('before');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('reads the file again for an unknown key, also when its time and size did not change', () => {
    const file = path.join(folder, 'same-stat');
    const [first, second] = [newEntry('k1'), newEntry('k2')];
    const noticed = new Date(1_700_000_000_000);
    writeFileSync(file, first);
    utimesSync(file, noticed, noticed);
    const ring = createKeyRing({ file });
    expect(ring.currentKeyId()).toBe('k1');
    writeFileSync(file, second);
    utimesSync(file, noticed, noticed);
    const { sealed } = createKeyRing({ keys: second }).seal('text', context);
    expect(ring.open(sealed, context)).toBe('text');
  });

  test('keeps a symbolic link and the owner of its target', () => {
    const [file, link] = [path.join(folder, 'kept-elsewhere'), path.join(folder, 'link')];
    ensureKeyFile(file);
    if (process.getuid?.() === 0) chownSync(file, 12_345, 12_345);
    const { uid, gid } = statSync(file);
    symlinkSync(file, link);
    const added = addKeyToFile(link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(createKeyRing({ file }).currentKeyId()).toBe(added);
    expect(statSync(file)).toMatchObject({ uid, gid });
  });

  test('gives each added key its own id', () => {
    const file = path.join(folder, 'many');
    ensureKeyFile(file);
    const ids = [addKeyToFile(file), addKeyToFile(file), addKeyToFile(file)];
    expect(new Set([...ids, createKeyRing({ file }).currentKeyId()]).size).toBe(3);
  });
});
