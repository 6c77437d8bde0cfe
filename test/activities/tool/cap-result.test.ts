import { expect, test } from 'vitest';
import { capContent, capResult, storedResultBytes } from '../../../activities/tool/cap-result.ts';

test('a result that fits is stored as it is', () => {
  const text = 'x'.repeat(storedResultBytes);
  expect(capResult({ text })).toEqual({ text, bytes: storedResultBytes, truncated: false });
});

test('a result that is too long is cut, and its full length is stored', () => {
  const capped = capResult({ text: 'x'.repeat(storedResultBytes + 10) });
  expect(capped).toEqual({
    text: 'x'.repeat(storedResultBytes),
    bytes: storedResultBytes + 10,
    truncated: true,
  });
});

test('a result is cut between two characters, never within one', () => {
  const { text } = capResult({ text: `x${'€'.repeat(storedResultBytes)}` });
  expect(text).toMatch(/^x€+$/);
  expect(Buffer.byteLength(text)).toBeGreaterThan(storedResultBytes - 4);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(storedResultBytes);
});

test('bytes that were not read count towards the length of a result', () => {
  expect(capResult({ text: 'short', truncatedBytes: 1_000_000 })).toEqual({
    text: 'short',
    bytes: 1_000_005,
    truncated: true,
  });
});

test('characters that Postgres cannot store as text are replaced', () => {
  expect(capResult({ text: 'a\0b\ud800c' }).text).toBe('a\uFFFDb\uFFFDc');
});

test('each part of a result is stored whole or not at all', () => {
  const content = { content: [{ type: 'image', blobId: 'b1' }] };
  expect(capContent(content)).toBe(content);
  expect(capContent(undefined)).toBeNull();
  expect(capContent({ structuredContent: 'x'.repeat(storedResultBytes) })).toBeNull();
});
