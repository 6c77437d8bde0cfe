import { expect, test } from 'vitest';
import { createUniqueCallIds } from '../../../src/engines/models/unique-call-ids.ts';

function listIds(...wanted: string[]): string[] {
  return wanted.map(createUniqueCallIds());
}

test('an unused id is kept, and a used id gets a counter', () => {
  expect(listIds('a', 'b', 'a', 'a', 'b')).toEqual(['a', 'b', 'a_2', 'a_3', 'b_2']);
});

test('a counter that is part of another id is skipped', () => {
  expect(listIds('a', 'a_2', 'a', 'a_2', 'a')).toEqual(['a', 'a_2', 'a_3', 'a_2_2', 'a_4']);
});

test('a call without an id gets one', () => {
  expect(listIds('', ' ', 'call')).toEqual(['call', 'call_2', 'call_3']);
});

test('an unused id is found in a short time, however often a model has used it', () => {
  const ids = listIds(...Array.from({ length: 50_000 }, () => 'call_0'));
  expect(new Set(ids).size).toBe(50_000);
  expect(ids.at(-1)).toBe('call_0_50000');
});
