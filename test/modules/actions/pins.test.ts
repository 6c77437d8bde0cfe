import { expect, test } from 'vitest';
import { findBrokenPin } from '../../../src/modules/actions/pins.ts';
import type { JsonObject } from '../../../src/domain/json.ts';

test.each<[holds: boolean, input: JsonObject, pins: JsonObject]>([
  [true, { amount: 5 }, {}],
  [true, { amount: 5, to: 'ada' }, { amount: 5 }],
  [true, { amount: 5, to: 'ada' }, { to: 'ada', amount: 5 }],
  [false, { amount: 5, to: 'ada' }, { to: 'ada', amount: 6 }],
  [false, { amount: '5' }, { amount: 5 }],
  [false, {}, { amount: null }],
  [true, { amount: null }, { amount: null }],
  [true, { to: { name: 'ada', at: 'x' } }, { 'to.name': 'ada' }],
  [true, { to: { name: 'ada', at: 'x' } }, { to: { at: 'x', name: 'ada' } }],
  [false, { to: { name: 'ada', at: 'x' } }, { to: { name: 'ada' } }],
  [true, { 'to.name': 'ada' }, { 'to.name': 'ada' }],
  // A call whose name can be read in two ways must have the value in both.
  [false, { 'to.name': 'ada', to: { name: 'eve' } }, { 'to.name': 'ada' }],
  // A pin holds for every element of an array, so that nobody is added to those who were approved.
  [true, { items: [{ to: 'ada' }, { to: 'ada' }] }, { 'items.to': 'ada' }],
  [false, { items: [{ to: 'ada' }, { to: 'eve' }] }, { 'items.to': 'ada' }],
  [false, { items: [{ to: 'ada' }, { cc: 'eve' }] }, { 'items.to': 'ada' }],
  [false, { items: [] }, { 'items.to': 'ada' }],
  [false, { to: ['ada', 'eve'] }, { to: 'ada' }],
  [false, { to: 'ada' }, { 'to.name': 'ada' }],
  [false, { to: 'ada' }, { constructor: 'ada' }],
])('it is %s that %j has %j', (holds, input, pins) => {
  expect(findBrokenPin(input, pins) === undefined).toBe(holds);
});
