import { expect, test } from 'vitest';
import {
  binomialCdf,
  normalQuantile,
  studentQuantile,
} from '../../../src/engines/statistics/distributions.ts';

// NIST/SEMATECH e-Handbook of Statistical Methods, tables 1.3.6.7.1 and 1.3.6.7.2.
test('quantiles are those of the tables', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.96, 3);
  expect(normalQuantile(0.99)).toBeCloseTo(2.326, 3);
  expect(studentQuantile(1, 0.975)).toBeCloseTo(12.706, 3);
  expect(studentQuantile(9, 0.975)).toBeCloseTo(2.262, 3);
  expect(studentQuantile(30, 0.95)).toBeCloseTo(1.697, 3);
});

test('binomial probabilities are sums of binomial coefficients', () => {
  expect(binomialCdf(2, 10, 0.5)).toBeCloseTo((1 + 10 + 45) / 1024, 12);
  expect(binomialCdf(-1, 10, 0.5)).toBe(0);
  expect(binomialCdf(10, 10, 0.5)).toBe(1);
});
