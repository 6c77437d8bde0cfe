import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config.ts';
import { addKeyToFile, ensureKeyFile } from '../../../src/platform/secrets/key-file.ts';
import { createKeyRing } from '../../../src/platform/secrets/key-ring.ts';
import { createDataConverter } from '../../../src/platform/temporal/data-converter.ts';
import { createPayloadCodec } from '../../../src/platform/temporal/payload-codec.ts';

const unavailable = expect.objectContaining({ code: 'SECRETS_UNAVAILABLE' }) as Error;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'payload-codec-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function newEntry(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

function createCodec(keys: string) {
  return createPayloadCodec(createKeyRing({ keys }));
}

const values = [{ message: 'a very secret text ✓' }, 'text', 7, null, undefined, new Uint8Array([0, 255, 1])];

function toPayloads(): Payload[] {
  return values.map((value) => defaultPayloadConverter.toPayload(value));
}

function toValues(payloads: Payload[]): unknown[] {
  return payloads.map((payload) => defaultPayloadConverter.fromPayload(payload));
}

/** The part of a payload's metadata with that name. */
function readMetadata({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString();
}

describe('the codec', () => {
  test('returns every kind of value after encryption, and the encrypted payload is unreadable', async () => {
    const codec = createCodec(newEntry('k1'));
    const sealed = await codec.encode(toPayloads());
    for (const payload of sealed) {
      expect(readMetadata(payload, 'encoding')).toBe('binary/encrypted');
      expect(readMetadata(payload, 'encryption-key-id')).toBe('k1');
      const text = Buffer.from(payload.data ?? []).toString('latin1');
      for (const part of ['secret', 'json/plain', 'binary/']) expect(text).not.toContain(part);
    }
    const opened = await codec.decode(sealed);
    expect(toValues(opened)).toEqual(values);
  });

  test('returns payloads that are not encrypted unchanged, also between encrypted ones', async () => {
    const codec = createCodec(newEntry('k1'));
    const [plain = {}, other = {}] = toPayloads();
    const [sealed = {}] = await codec.encode([other]);
    const [first, second] = await codec.decode([plain, sealed]);
    expect(first).toBe(plain);
    expect(defaultPayloadConverter.fromPayload(second ?? {})).toBe('text');
  });

  test('does not change payloads that another program has encrypted', async () => {
    const foreign = {
      metadata: { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from('test') },
      data: randomBytes(200),
    };
    expect(await createCodec(newEntry('k1')).decode([foreign, {}])).toEqual([foreign, {}]);
  });

  test('decrypts payloads with an old key as long as that is in the ring', async () => {
    const [old, current] = [newEntry('old'), newEntry('new')];
    const sealed = await createCodec(old).encode(toPayloads());
    const opened = await createCodec(`${current},${old}`).decode(sealed);
    expect(toValues(opened)).toEqual(values);
    await expect(createCodec(current).decode(sealed)).rejects.toThrow(unavailable);
    await expect(createCodec(current).decode(sealed)).rejects.toThrow(
      /payload cannot be decrypted.*key old is missing/,
    );
  });

  test('uses a key that was added to its file', async () => {
    const file = path.join(folder, 'keys');
    ensureKeyFile(file);
    const codec = createPayloadCodec(createKeyRing({ file }));
    const before = await codec.encode(toPayloads());
    const added = addKeyToFile(file);
    const after = await codec.encode(toPayloads());
    expect(after.map((payload) => readMetadata(payload, 'encryption-key-id'))).toEqual(
      values.map(() => added),
    );
    expect(toValues(await codec.decode([...before, ...after]))).toEqual([...values, ...values]);
  });

  test('refuses payloads that were changed, and values that were sealed for another purpose', async () => {
    const keyRing = createKeyRing({ keys: newEntry('k1') });
    const codec = createPayloadCodec(keyRing);
    const [sealed = {}] = await codec.encode(toPayloads());
    const changed = Buffer.from(sealed.data ?? []);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    const row = { workspaceId: '', recordId: '', purpose: 'connection' };
    for (const data of [changed, keyRing.seal('a password', row).sealed]) {
      await expect(codec.decode([{ ...sealed, data }])).rejects.toThrow(unavailable);
    }
  });
});

describe('the data converter', () => {
  const noKeys = () => ({ HOLDFAST_DATA_DIR: path.join(folder, 'nowhere') });

  test('encrypts nothing by default, and decrypts encrypted payloads', async () => {
    const keys = newEntry('k1');
    const config = loadConfig({ HOLDFAST_ENCRYPTION_KEYS: keys });
    const { payloadCodecs, failureConverterPath } = createDataConverter(config);
    expect(await payloadCodecs[0].encode(toPayloads())).toEqual(toPayloads());
    const sealed = await createCodec(keys).encode(toPayloads());
    expect(toValues(await payloadCodecs[0].decode(sealed))).toEqual(values);
    expect(failureConverterPath).toBeUndefined();
  });

  test('requires keys only when encryption is on, and says how to set them', () => {
    expect(() => createDataConverter(loadConfig(noKeys()))).not.toThrow();
    const config = loadConfig({ ...noKeys(), HOLDFAST_ENCRYPT_PAYLOADS: 'true' });
    expect(() => createDataConverter(config)).toThrow(unavailable);
    expect(() => createDataConverter(config)).toThrow(
      /HOLDFAST_ENCRYPT_PAYLOADS is true.*Set HOLDFAST_ENCRYPTION_KEYS/,
    );
  });
});

test.each([
  '*',
  'https://temporal.example.com/',
  'https://temporal.example.com/path',
  'temporal.example.com',
  'https://Temporal.example.com',
  'https://a.example,null',
])('%s is not a valid list of origins', (origins) => {
  expect(() => loadConfig({ HOLDFAST_CODEC_ORIGINS: origins })).toThrow(/HOLDFAST_CODEC_ORIGINS: expected/);
});

test('origins are separated by commas, and the default is none', () => {
  expect(loadConfig({}).codecOrigins).toEqual([]);
  expect(
    loadConfig({ HOLDFAST_CODEC_ORIGINS: 'https://a.example, http://127.0.0.1:8233' }).codecOrigins,
  ).toEqual(['https://a.example', 'http://127.0.0.1:8233']);
});
