/** A part of a text, from `start` up to `end`. */
export interface TextRange {
  start: number;
  end: number;
}

/** The texts that a search looks for. */
export interface WantedTexts {
  /** Looked for in a text as it is. */
  exact: ReadonlySet<string>;
  /** Looked for in what {@link withoutGaps} leaves of a text. */
  spaced: ReadonlySet<string>;
  /** Whether capitals in a text count as small letters; the texts in `spaced` then have none. @default false */
  ignoresCase?: boolean;
}

/** White space, and characters that a person does not see. */
const gaps = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Leaves out white space and characters that a person does not see. */
export function withoutGaps(text: string): string {
  return text.replace(gaps, '');
}

/** Writes a text in small letters, without a change of its length. */
export function toSmallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns whether a text holds one of the wanted ones. */
export function holdsText(wanted: WantedTexts, text: string): boolean {
  const seen = toSeen(wanted, text);
  return some(wanted.exact, (one) => text.includes(one)) || some(wanted.spaced, (one) => seen.includes(one));
}

/** Finds all places of the wanted texts, in their order and without an overlap. */
export function findTexts(wanted: WantedTexts, text: string): TextRange[] {
  // Few texts hold one, and their places take most of the time.
  if (!holdsText(wanted, text)) return [];
  const seen = toSeen(wanted, text);
  const places = listPlaces(text);
  const inSeen = [...wanted.spaced].flatMap((one) => listRanges(seen, one));
  return joinRanges([
    ...[...wanted.exact].flatMap((one) => listRanges(text, one)),
    ...inSeen.map(({ start, end }) => ({ start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 })),
  ]);
}

/** Returns where a wanted text may begin whose end is missing; null when none does. */
export function findUnfinished(wanted: WantedTexts, text: string): number | null {
  // The first half of a character that may be invisible.
  const isHalf = /[\ud800-\udbff]$/.test(text);
  const whole = isHalf ? text.slice(0, -1) : text;
  const seen = toSeen(wanted, whole);
  const begun = findFirst(wanted.spaced, seen);
  const starts = [
    findFirst(wanted.exact, whole),
    begun === null ? null : (listPlaces(whole)[begun] ?? 0),
    isHalf ? whole.length : null,
  ].filter((start) => start !== null);
  return starts.length === 0 ? null : Math.min(...starts);
}

/** Replaces parts of a text by a mark; the parts are in their order. */
export function replaceRanges(text: string, ranges: TextRange[], mark: string): string {
  let replaced = '';
  let from = 0;
  for (const { start, end } of ranges) {
    replaced += text.slice(from, start) + mark;
    from = end;
  }
  return replaced + text.slice(from);
}

/** Shorter texts may be read again with each piece. */
const shortText = 256;

/**
 * Decides when a text that was held back is read again after more of it has arrived: a long one when it is longer by a
 * quarter, so that all readings together take time that is linear in the text.
 */
export function createPace(heldCharacters = 0): (characters: number) => boolean {
  return (characters) => heldCharacters < shortText || characters > heldCharacters * 1.25;
}

/** Returns the characters of a text that are compared. */
function toSeen({ spaced, ignoresCase = false }: WantedTexts, text: string): string {
  if (spaced.size === 0) return '';
  return ignoresCase ? toSmallLetters(withoutGaps(text)) : withoutGaps(text);
}

/** Lists where the characters stand in a text that {@link withoutGaps} leaves. */
function listPlaces(text: string): Uint32Array {
  const places = new Uint32Array(text.length);
  let count = 0;
  let from = 0;
  const addUpTo = (end: number) => {
    for (; from < end; from += 1) places[count++] = from;
  };
  for (const { index, 0: gap } of text.matchAll(gaps)) {
    addUpTo(index);
    from = index + gap.length;
  }
  addUpTo(text.length);
  return places;
}

function some(texts: ReadonlySet<string>, fits: (text: string) => boolean): boolean {
  for (const text of texts) if (fits(text)) return true;
  return false;
}

function listRanges(text: string, wanted: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
    ranges.push({ start: at, end: at + wanted.length });
  return ranges;
}

/** Sorts ranges and joins those that overlap. */
function joinRanges(ranges: TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end);
    else joined.push(range);
  }
  return joined;
}

/** Returns the first place at the end of a text where one of the wanted ones begins without being complete. */
function findFirst(wanted: ReadonlySet<string>, text: string): number | null {
  let first: number | null = null;
  for (const one of wanted) {
    const from = Math.max(0, text.length - one.length + 1);
    for (let at = text.indexOf(one.charAt(0), from); at >= 0; at = text.indexOf(one.charAt(0), at + 1)) {
      if (first !== null && at >= first) break;
      if (one.startsWith(text.slice(at))) first = at;
    }
  }
  return first;
}
