/** The replacements of one file: equal values have equal ones. */
export interface Pseudonyms {
  /** Returns the replacement of a value, such as `<email-1>`; the kind counts when the value is new. */
  replace: (value: string, kind: string) => string;
  /** The number of different values so far. */
  count: () => number;
}

/** Creates an empty set of replacements. */
export function createPseudonyms(): Pseudonyms {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return {
    replace: (value, kind) => {
      const key = toKey(value);
      const found = known.get(key);
      if (found !== undefined) return found;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      const replacement = `<${kind}-${number}>`;
      known.set(key, replacement);
      return replacement;
    },
    count: () => known.size,
  };
}

/** Values are equal whatever their case is, and numbers (of phones, cards, accounts) whatever separates their digits. */
function toKey(value: string): string {
  const text = value.normalize('NFC').trim().toLowerCase();
  const compact = text.replaceAll(/[\s()./-]/g, '');
  return /^\+?[a-z]{0,2}\d{6}[a-z\d]*$/.test(compact) ? compact : text;
}
