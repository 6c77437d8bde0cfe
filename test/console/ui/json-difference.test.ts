import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listDifferences } from '../../../console/src/ui/json-difference.ts';

test('values that differ are named by their paths, and values of one side alone have no other', () => {
  const before = {
    amount: 950,
    to: { id: 'r-1', name: 'Ada' },
    lines: [{ sku: 'A' }, { sku: 'B' }],
    note: '',
  };
  const after = { amount: 700, to: { id: 'r-1', name: 'Eve' }, lines: [{ sku: 'A' }], vat: null, note: '' };
  expect(listDifferences(before, after)).toEqual([
    { path: 'amount', before: 950, after: 700 },
    { path: 'to.name', before: 'Ada', after: 'Eve' },
    { path: 'lines[1]', before: { sku: 'B' }, after: undefined },
    { path: 'vat', before: undefined, after: null },
  ]);
});

test('a value of another type differs as a whole', () => {
  expect(listDifferences({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: 'a', before: [1], after: { 0: 1 } }]);
  expect(listDifferences({ a: '1' }, { a: 1 })).toEqual([{ path: 'a', before: '1', after: 1 }]);
});

test('a value does not differ from a copy of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: true }), (value) => {
      const copy = JSON.parse(JSON.stringify(value)) as never;
      expect(listDifferences(JSON.parse(JSON.stringify(value)) as never, copy)).toEqual([]);
    }),
  );
});
