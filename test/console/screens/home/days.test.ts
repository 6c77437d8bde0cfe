import { expect, test } from 'vitest';
import { listDays } from '../../../../console/src/screens/home/days.ts';

test('days follow each other from midnight to midnight, today at the end', () => {
  const now = Date.parse('2026-11-28T09:30:00Z');
  const days = listDays(now, 7);
  expect(days).toHaveLength(7);
  for (const [index, { from, to }] of days.entries()) {
    expect(new Date(from).toLocaleTimeString('en-GB')).toBe('00:00:00');
    expect(to).toBe(days[index + 1]?.from ?? to);
  }
  const today = days.at(-1);
  expect(Date.parse(today?.from ?? '')).toBeLessThanOrEqual(now);
  expect(Date.parse(today?.to ?? '')).toBeGreaterThan(now);
});
