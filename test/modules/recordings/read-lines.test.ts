import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines, type ReadLine } from '../../../src/modules/recordings/read-lines.ts';

/** A stream of the bytes in pieces of one size. */
function split(bytes: Uint8Array, size: number): Readable {
  const count = Math.ceil(bytes.length / size);
  return Readable.from(
    Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
  );
}

async function readAll(text: string | Uint8Array, most?: number, size = 3): Promise<ReadLine[]> {
  const lines: ReadLine[] = [];
  for await (const line of readLines(split(Buffer.from(text), size), most)) lines.push(line);
  return lines;
}

test('lines keep their numbers, and empty ones are left out', async () => {
  const expected = [
    { number: 1, text: 'a' },
    { number: 3, text: 'größer' },
    { number: 4, text: 'c' },
  ];
  for (const size of [1, 2, 3, 100]) expect(await readAll('a\r\n\ngrößer\nc', 100, size)).toEqual(expected);
});

test('a line that is too long is refused, and the lines after it are read', async () => {
  expect(await readAll(`${'x'.repeat(11)}\n${'y'.repeat(10)}\n${'z'.repeat(12)}`, 10)).toEqual([
    { number: 1, problem: 'expected at most 10 bytes, found 11' },
    { number: 2, text: 'yyyyyyyyyy' },
    { number: 3, problem: 'expected at most 10 bytes, found 12' },
  ]);
});

test('bytes that are not UTF-8 are refused', async () => {
  expect(await readAll(Buffer.from('caf\xe9\nok', 'latin1'))).toEqual([
    { number: 1, problem: 'expected text in UTF-8, found bytes that are not' },
    { number: 2, text: 'ok' },
  ]);
});
