import type { DocumentPart } from './document-part.ts';

const endOfSentence = /[.!?:;…。！？]["'”’»)\]]*$/;
/** The most characters of a page that are moved to the page before. */
const maxRest = 1000;

/** Moves the end of a sentence that continues on the next page to the page on which it begins. */
export function completeSentences(parts: DocumentPart[]): DocumentPart[] {
  const completed = parts.map((part) => ({ ...part }));
  for (const [index, part] of completed.entries()) {
    const next = completed[index + 1];
    if (!next || part.page === null || next.page === null || !goesOn(part.text, next.text)) continue;
    const rest = findRest(next.text);
    if (rest === null) continue;
    part.text = `${part.text.trimEnd()} ${rest}`;
    next.text = next.text.trimStart().slice(rest.length).trimStart();
  }
  return completed;
}

function goesOn(text: string, next: string): boolean {
  const end = text.trimEnd().slice(-20);
  return end !== '' && !endOfSentence.test(end) && /^\p{Ll}/u.test(next.trimStart());
}

function findRest(text: string): string | null {
  const start = text.trimStart().slice(0, maxRest);
  const end = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/.exec(start);
  return end ? start.slice(0, end.index + end[0].length) : null;
}
