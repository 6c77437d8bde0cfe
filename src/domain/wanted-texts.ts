/** Texts that are looked for together. */
export interface WantedTexts {
  list: readonly string[];
  /** Returns whether a text holds one of them. The time is linear in the text, and nearly the same for one and for hundred. */
  areIn: (text: string) => boolean;
}

/** How many characters at the beginning of each text are hashed. */
const hashed = 4;
const mostHash = 0xffff;

/** Native search is faster for so many texts. */
const fewTexts = 3;

/** Prepares the search for texts of at least 4 characters each. */
export function createWantedTexts(texts: Iterable<string>): WantedTexts {
  const list = [...new Set(texts)];
  if (list.length <= fewTexts) return { list, areIn: (text) => list.some((one) => text.includes(one)) };
  const known = new Uint8Array(mostHash + 1);
  const byHash = new Map<number, string[]>();
  for (const one of list) {
    const hash = hashAt(one, 0);
    known[hash] = 1;
    byHash.set(hash, [...(byHash.get(hash) ?? []), one]);
  }
  const areIn = (text: string) => {
    for (let index = 0; index <= text.length - hashed; index += 1) {
      const hash = hashAt(text, index);
      if (known[hash] === 1 && byHash.get(hash)?.some((one) => text.startsWith(one, index))) return true;
    }
    return false;
  };
  return { list, areIn };
}

function hashAt(text: string, index: number): number {
  const first = text.charCodeAt(index) ^ (text.charCodeAt(index + 1) << 5);
  return (first ^ (text.charCodeAt(index + 2) << 9) ^ (text.charCodeAt(index + 3) * 0x2f3)) & mostHash;
}
