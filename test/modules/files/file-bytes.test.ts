import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meterBytes, readWhole, splitBytes, toPieces } from '../../../src/modules/files/file-bytes.ts';

async function* toStream(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return parts;
}

const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });

test('pieces have one size but for the last, and are the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 33 }), async (given, size) => {
      const pieces = await collect(toPieces(toStream(given), size));
      expect(Buffer.concat(pieces)).toEqual(Buffer.concat(given));
      for (const piece of pieces.slice(0, -1)) expect(piece.byteLength).toBe(size);
      expect(pieces.every((piece) => piece.byteLength > 0)).toBe(true);
    }),
  );
});

test('a file is split into its head and all bytes', async () => {
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 99 }), async (given, headBytes) => {
      const whole = Buffer.concat(given);
      const { head, isWhole, content } = await splitBytes(toStream(given), headBytes);
      expect(head).toEqual(whole.subarray(0, head.byteLength));
      expect(head.byteLength).toBeGreaterThanOrEqual(Math.min(headBytes, whole.byteLength));
      if (isWhole) expect(head.byteLength).toBe(whole.byteLength);
      expect(Buffer.concat(await collect(content))).toEqual(whole);
    }),
  );
});

test('bytes are counted, hashed and given to others, up to a limit', async () => {
  const given = [Buffer.from('ab'), Buffer.from('c')];
  const tapped: Uint8Array[] = [];
  const tap = (bytes: Uint8Array) => Promise.resolve(void tapped.push(bytes));
  const metered = meterBytes(toStream(given), { maxBytes: 3, tap });
  expect(await collect(metered.content)).toEqual(given);
  expect(tapped).toEqual(given);
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect([metered.measure(), metered.measure()]).toEqual([1, 2].map(() => ({ size: 3, sha256 })));
  const limited = meterBytes(toStream(given), { maxBytes: 2 });
  await expect(collect(limited.content)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a file that has lost bytes is not read', async () => {
  expect(await readWhole(toStream([Buffer.from('ab')]), 2)).toEqual(Uint8Array.from(Buffer.from('ab')));
  for (const size of [1, 3])
    await expect(readWhole(toStream([Buffer.from('ab')]), size)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
});
