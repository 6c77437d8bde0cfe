import { expect, test } from 'vitest';
import { findPlaces, takePage } from '../../../../src/engines/tools/functions/result-page.ts';

/** Reads a text to its end, page by page. */
function readAll(text: string, limit: number): string[] {
  const pages = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = takePage(text, { offset, limit });
    pages.push(page.text);
    offset = page.nextOffset;
  }
  return pages;
}

test('the pages of a text are the text, and none is longer than the limit', () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `line ${index} 👍\n`).join('');
  for (const limit of [100, 101, 4_999, text.length, text.length + 1]) {
    const pages = readAll(text, limit);
    expect(pages.join('')).toBe(text);
    expect(pages.every((page) => page.length <= limit && page.isWellFormed())).toBe(true);
  }
});

test('an empty text has one empty page', () => {
  expect(takePage('', { offset: 0, limit: 100 })).toEqual({ offset: 0, nextOffset: null, text: '' });
});

test('a page that is asked for within a character begins with that character', () => {
  expect(takePage('a👍b', { offset: 2, limit: 100 })).toEqual({ offset: 1, nextOffset: null, text: '👍b' });
});

test('the places of a text are found whatever their case, each with what is around it', () => {
  const gap = '.'.repeat(1_000);
  const { places, nextOffset } = findPlaces(`${gap}Order A-17${gap}order a-17`, 'ORDER A-17', 0);

  expect(nextOffset).toBeNull();
  expect(places.map(({ offset }) => offset)).toEqual([850, 1_860]);
  expect(places[0]?.text).toBe(`${'.'.repeat(150)}Order A-17${'.'.repeat(150)}`);
});

test('places that are close to each other are shown once, and a search goes on where it stopped', () => {
  expect(findPlaces('x x x', 'x', 0).places).toEqual([{ offset: 0, text: 'x x x' }]);
  const text = `x${'.'.repeat(500)}`.repeat(25);
  const first = findPlaces(text, 'x', 0);
  expect(first.places).toHaveLength(20);
  const rest = findPlaces(text, 'x', first.nextOffset ?? 0);
  expect(rest.places).toHaveLength(5);
  expect(rest.nextOffset).toBeNull();
});

test('a text that is looked for is no pattern', () => {
  const signs = String.raw`[a-z]+ (.*) $1 \d / {2} ^|?`;
  expect(findPlaces(`It says ${signs}.`, signs, 0).places).toHaveLength(1);
  expect(findPlaces('abc', '.', 0).places).toEqual([]);
});
