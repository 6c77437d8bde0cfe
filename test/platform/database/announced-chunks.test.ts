import { expect, test } from 'vitest';
import { parseChunks, toChunkParts } from '../../../src/platform/database/announced-chunks.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

const place = { conversationId: newId(), turnId: newId(), iteration: 1, attempt: 1 };

/** The payloads that Postgres makes of the parts, with numbers as long as they may become. */
function toPayloads(texts: (string | null)[]): string[] {
  const { rows, partOf } = toChunkParts(texts.map((text) => ({ ...place, text })));
  return rows.map((part, index) => {
    const ids = partOf.flatMap((number, position) => (number === index + 1 ? [2 ** 49 + position] : []));
    return `[[${ids.join(', ')}],[${ids.map(() => 2 ** 49).join(', ')}],${part}]`;
  });
}

test('chunks come back in their order and with their numbers, whatever their text', () => {
  const texts = ['a', '"\\\n\u2028', null, '€𝄞', ' '];
  const read = toPayloads(texts).flatMap(parseChunks);
  expect(read).toEqual(
    texts.map((text, index) => ({ ...place, id: 2 ** 49 + index, afterSeq: 2 ** 49, text })),
  );
});

test('each notification stays below 8000 bytes, and few are needed', () => {
  const texts = Array.from({ length: 400 }, (_, index) => '€'.repeat(index % 90));
  const payloads = toPayloads(texts);
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8000);
  expect(payloads.length).toBeLessThan(25);
  expect(payloads.flatMap(parseChunks).map(({ text }) => text)).toEqual(texts);
});

test('a text that is too long for a notification is announced without it', () => {
  const payloads = toPayloads(['before', 'x'.repeat(9_000), 'after']);
  expect(payloads.flatMap(parseChunks).map(({ text }) => text)).toEqual(['before', undefined, 'after']);
});
