import { expect, test } from 'vitest';
import { listPins } from '../../../../console/src/live/actions/pins.ts';
import { findBrokenPin } from '../../../../src/modules/actions/pins.ts';

test('pins are offered for the values of objects, and hold for the call from which they are', () => {
  const call = { amount: 5, to: { id: 'r-1', 'a.b': true }, lines: [{ sku: 'A' }], none: null, empty: {} };
  const pins = listPins(call);
  expect(pins).toEqual([
    { path: 'amount', value: 5 },
    { path: 'to.id', value: 'r-1' },
    { path: 'to.a.b', value: true },
    { path: 'lines', value: [{ sku: 'A' }] },
    { path: 'none', value: null },
    { path: 'empty', value: {} },
  ]);
  const held = Object.fromEntries(pins.map(({ path, value }) => [path, value]));
  expect(findBrokenPin(call, held)).toBeUndefined();
});
