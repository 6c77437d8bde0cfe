import { expect, test } from 'vitest';
import { exactClusteredMcNemar, exactMcNemar } from '../../../src/engines/statistics/exact-mcnemar.ts';
import { createDraw } from './simulated-batch.ts';

test.each<[counts: [number, number], pValue: number, digits: number]>([
  // Agresti (1990), Categorical Data Analysis, p. 350; exact test in the R package exact2x2.
  [[86, 150], 3.716e-5, 8],
  // Fagerland, Lydersen, Laake (2013), The McNemar test for binary matched-pairs data, BMC Medical Research Methodology 13:91.
  [[1, 7], 0.0703, 4],
  [[6, 16], 0.0525, 4],
])('the p value of %j is the published one', ([onlyFirst, onlySecond], pValue, digits) => {
  expect(exactMcNemar({ onlyFirst, onlySecond })).toBeCloseTo(pValue, digits);
  expect(exactMcNemar({ onlyFirst: onlySecond, onlySecond: onlyFirst })).toBeCloseTo(pValue, digits);
});

test('versions with as many cases of their own do not differ', () => {
  expect(exactMcNemar({ onlyFirst: 0, onlySecond: 0 })).toBe(1);
  expect(exactMcNemar({ onlyFirst: 4, onlySecond: 4 })).toBe(1);
});

test('with one case in each conversation, the clustered test is the usual one', () => {
  const surpluses = [
    ...Array<number>(86).fill(-1),
    ...Array<number>(150).fill(1),
    ...Array<number>(99).fill(0),
  ];
  expect(exactClusteredMcNemar(surpluses)).toBeCloseTo(exactMcNemar({ onlyFirst: 86, onlySecond: 150 }), 12);
});

test('the clustered p value is the share of all choices of signs', () => {
  const surpluses = [3, -1, 2, 0, 4, -2, 1, 1];
  const observed = Math.abs(surpluses.reduce((sum, surplus) => sum + surplus, 0));
  const choices = 2 ** surpluses.length;
  let farther = 0;
  for (let choice = 0; choice < choices; choice++) {
    const sum = surpluses.reduce((total, size, index) => total + ((choice >> index) & 1 ? size : -size), 0);
    if (Math.abs(sum) >= observed) farther += 1;
  }
  expect(exactClusteredMcNemar(surpluses)).toBeCloseTo(farther / choices, 12);
});

test('ten cases that one conversation breaks are no more evidence than one', () => {
  expect(exactClusteredMcNemar([-10])).toBe(1);
  expect(exactMcNemar({ onlyFirst: 10, onlySecond: 0 })).toBeLessThan(0.01);
});

test('conversations whose cases stand and fall together keep the level, where the usual test does not', () => {
  const { uniform } = createDraw(5);
  let [clustered, usual] = [0, 0];
  const batches = 1_000;
  for (let batch = 0; batch < batches; batch++) {
    const surpluses = Array.from({ length: 40 }, () => (uniform() < 0.5 ? 0 : uniform() < 0.5 ? 5 : -5));
    const count = (sign: number) => 5 * surpluses.filter((surplus) => Math.sign(surplus) === sign).length;
    if (exactClusteredMcNemar(surpluses) <= 0.05) clustered += 1;
    if (exactMcNemar({ onlyFirst: count(-1), onlySecond: count(1) }) <= 0.05) usual += 1;
  }
  expect(clustered / batches).toBeLessThanOrEqual(0.05);
  expect(usual / batches).toBeGreaterThan(0.2);
});
