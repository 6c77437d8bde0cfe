import { expect, test } from 'vitest';
import { findUnstorable } from '../../src/domain/storable.ts';

function nest(levels: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

test.each([
  ['a NUL character', { a: ['b', 'c\0'] }, 'a.1'],
  ['a number too large for JSON', JSON.parse('{"a": {"maximum": [1e400]}}'), 'a.maximum.0'],
  ['half of a surrogate pair', { a: { b: '\ud83d' } }, 'a.b'],
  ['a NUL character in a name', { a: { 'b\0': 1 } }, 'a'],
  ['a text with a NUL character', '\0', 'body'],
])('%s cannot be stored', (_title, input, field) => {
  expect(findUnstorable(input, 'body')?.field).toBe(field);
});

test.each([[null], [undefined], [0], ['😀'], [{ a: ['ä', { b: null }] }], [nest(60)]])(
  '%j can be stored',
  (input) => {
    expect(findUnstorable(input, 'body')).toBeNull();
  },
);

test('a value that is nested too deep is detected without a stack overflow', () => {
  expect(findUnstorable(nest(1_000_000), 'body')?.message).toBe('expected at most 64 levels of nesting');
});

test('a list of a million items is checked', () => {
  const list = Array.from({ length: 1_000_000 }, () => 'a');
  expect(findUnstorable([...list, '\0'], 'body')?.field).toBe('1000000');
});
