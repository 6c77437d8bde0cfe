import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScale, type Span } from '../../../console/src/live/spans.ts';

const span = (kind: Span['kind'], start: number, end: number): Span => {
  return {
    id: `${kind}-${start}`,
    kind,
    title: '',
    status: 'completed',
    iteration: 1,
    start,
    end,
    isOpen: false,
  };
};

describe('the scale of a waterfall', () => {
  test('is even while something runs all the time', () => {
    const { toPlace, breaks } = createScale([span('model', 0, 500), span('tool', 500, 1_000)]);
    expect(breaks).toEqual([]);
    expect([0, 250, 500, 1_000].map(toPlace)).toEqual([0, 0.25, 0.5, 1]);
  });

  test('compresses the days before a person decides, and names them', () => {
    const day = 86_400_000;
    const { toPlace, breaks } = createScale([
      span('model', 0, 1_000),
      span('wait', 1_000, 1_000 + day),
      span('tool', 1_000 + day, 2_000 + day),
    ]);
    expect(breaks.map(({ ms }) => ms)).toEqual([day]);
    expect(toPlace(1_000)).toBeCloseTo(0.48);
    expect(toPlace(1_000 + day)).toBeCloseTo(0.52);
  });

  test('keeps the order of all times, from 0 to 1', () => {
    const stretch = fc.tuple(
      fc.constantFrom('model', 'tool', 'wait', 'queue'),
      fc.nat(10_000_000),
      fc.nat(100_000),
    );
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 30 }), (stretches) => {
        const spans = stretches.map(([kind, start, length]) => span(kind, start, start + length));
        const { toPlace } = createScale(spans);
        const times = spans.flatMap(({ start, end }) => [start, end]).toSorted((one, other) => one - other);
        const places = times.map(toPlace);
        expect(places).toEqual(places.toSorted((one, other) => one - other));
        expect(places.every((place) => place >= 0 && place <= 1 + 1e-9)).toBe(true);
      }),
    );
  });
});
