import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareLines } from '../../../console/src/ui/line-difference.ts';

const marks = { same: ' ', removed: '-', added: '+' };
const show = (before: string, after: string) =>
  compareLines(before, after).map(({ kind, text }) => `${marks[kind]}${text}`);

describe('the difference of two texts by their lines', () => {
  test('keeps what both have, and shows what was removed before what was added', () => {
    expect(show('one\ntwo\nthree', 'one\n2\nthree\nfour')).toEqual([' one', '-two', '+2', ' three', '+four']);
    expect(show('first\nsecond\nthird', 'first\nthird\nfourth')).toEqual([
      ' first',
      '-second',
      ' third',
      '+fourth',
    ]);
    expect(show('same', 'same')).toEqual([' same']);
  });

  test('has both texts in it, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = compareLines(before, after);
        const without = (left: string) => lines.filter(({ kind }) => kind !== left).map((line) => line.text);
        expect(without('added').join('\n')).toBe(before);
        expect(without('removed').join('\n')).toBe(after);
      }),
    );
  });

  test('takes texts that are too long to be compared as wholly other ones', () => {
    const before = Array.from({ length: 600 }, (_, line) => `before ${line}`).join('\n');
    const after = Array.from({ length: 600 }, (_, line) => `after ${line}`).join('\n');
    const kinds = compareLines(before, after).map(({ kind }) => kind);
    expect(kinds.slice(0, 600).every((kind) => kind === 'removed')).toBe(true);
    expect(kinds.slice(600).every((kind) => kind === 'added')).toBe(true);
    expect(kinds).toHaveLength(1_200);
  });
});
