import { expect, test } from 'vitest';
import { parseChangeCursor, toChangeCursorText } from '../../../src/modules/changes/change-cursor.ts';

const parse = (text: string) => parseChangeCursor(text, 'after');

test.each(['0123456789ab.1:1:', '0123456789ab.12:18:12,15,17', '0123456789ab.18446744073:18446744074:'])(
  'the position %s is read and written',
  (text) => {
    const cursor = parse(text);
    expect(cursor && toChangeCursorText(cursor)).toBe(text);
  },
);

test('no text is no position', () => {
  expect(parseChangeCursor(undefined, 'after')).toBeUndefined();
});

test.each([
  ...['', '12.345', '1:1:', '0123456789ab', '0123456789ab.1:1', 'x123456789ab.1:1:', '0123456789ab.1:1: '],
  ...['0123456789ab.0:1:', '0123456789ab.2:1:', '0123456789ab.-1:1:'],
  ...['0123456789ab.5:9:4', '0123456789ab.5:9:9', '0123456789ab.5:9:7,6', '0123456789ab.5:9:6,6'],
  ...['0123456789ab.5:9:,', '0123456789ab.5:9:6,', `0123456789ab.1:99999999999999999999:`],
  `0123456789ab.1:99999:${Array.from({ length: 3000 }, (_, index) => index + 1).join(',')}`,
])('what Postgres would refuse, or this database has not written, is refused (%#)', (text) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});
