import { expect, onTestFinished, test, vi } from 'vitest';
import { toTimeRange } from '../../src/domain/time-range.ts';

function stopClockAt(now: string): void {
  vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('without times it covers thirty days, the present millisecond among them', () => {
  stopClockAt('2026-03-31T12:00:00.123Z');
  expect(toTimeRange({})).toEqual({ from: '2026-03-01T12:00:00.124Z', to: '2026-03-31T12:00:00.124Z' });
});

test('times that were asked for are kept', () => {
  const asked = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  expect(toTimeRange(asked)).toEqual(asked);
  expect(toTimeRange({ to: asked.to }).from).toBe('2025-12-03T00:00:00.000Z');
});

test('a time that does not begin before it ends is refused', () => {
  const time = '2026-01-01T00:00:00Z';
  expect(() => toTimeRange({ from: time, to: time })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});
