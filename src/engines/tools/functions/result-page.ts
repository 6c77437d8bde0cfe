/** The characters that are shown before and after a place, and the most places of one answer. */
const around = 150;
const mostPlaces = 20;

/** A part of a text. Positions count UTF-16 code units. */
interface ResultPage {
  offset: number;
  /** The offset of the next page; null at the end. */
  nextOffset: number | null;
  text: string;
}

/** Returns a part of a text that begins and ends with whole characters, so that it may begin one before `offset`. */
export function takePage(text: string, { offset, limit }: { offset: number; limit: number }): ResultPage {
  const start = toBoundary(text, offset);
  const end = toBoundary(text, start + limit);
  return { offset: start, nextOffset: end < text.length ? end : null, text: text.slice(start, end) };
}

interface FoundPlaces {
  /** Each with the text around it, and the position where that begins. */
  places: { offset: number; text: string }[];
  /** The position from which the search continues; null when there are no more places. */
  nextOffset: number | null;
}

/** Finds a text whatever its case, from a position on. Places that are close to each other are shown together. */
export function findPlaces(text: string, query: string, offset: number): FoundPlaces {
  const pattern = new RegExp(query.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'giu');
  const places: FoundPlaces['places'] = [];
  pattern.lastIndex = offset;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (places.length === mostPlaces) return { places, nextOffset: found.index };
    const start = toBoundary(text, Math.max(offset, found.index - around));
    const end = toBoundary(text, found.index + found[0].length + around);
    places.push({ offset: start, text: text.slice(start, end) });
    pattern.lastIndex = end;
  }
  return { places, nextOffset: null };
}

/** Returns a position that does not divide a character of two code units, and is within the text. */
function toBoundary(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const before = text.charCodeAt(position - 1);
  const after = text.charCodeAt(position);
  const divides = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return divides ? position - 1 : position;
}
