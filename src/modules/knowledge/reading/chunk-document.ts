import type { Chunking, DocumentChunk } from '../../../domain/knowledge.ts';
import type { DocumentPart } from './document-part.ts';
import { toSections, type Section } from './markdown-sections.ts';
import { splitBlock, toSentences, type Piece } from './split-block.ts';

const endOfSentence = /[.!?:;…。！？]["'”’»)\]]*$/;

/** The maximum number of characters of a page that are moved to the page before. */
const maxRest = 1000;

/**
 * Cuts a document into chunks of at most `maxCharacters`. A chunk never crosses a heading or the end of a page. Tables
 * and code stay whole when they fit, and a sentence is cut only when it is longer than a chunk. A sentence that continues
 * on the next page belongs to the page on which it begins.
 */
export function chunkDocument(parts: DocumentPart[], chunking: Chunking): DocumentChunk[] {
  return toSections(completeSentences(parts)).flatMap((section) => chunkSection(section, chunking));
}

function chunkSection({ headings, page, blocks }: Section, chunking: Chunking): DocumentChunk[] {
  const pieces = blocks.flatMap((block) => splitBlock(block, chunking.maxCharacters));
  return packPieces(pieces, chunking).map((text) => ({ text, headings, page }));
}

function packPieces(pieces: Piece[], { maxCharacters, overlapCharacters }: Chunking): string[] {
  const texts: string[] = [];
  let current = '';
  let last: Piece | undefined;
  for (const piece of pieces) {
    const longer = join(current, piece);
    if (longer.length <= maxCharacters) current = longer;
    else {
      if (current !== '') texts.push(current);
      const overlap = last ? toOverlap(last, overlapCharacters) : '';
      const begun = join(overlap, piece);
      current = begun.length <= maxCharacters ? begun : piece.text;
    }
    last = piece;
  }
  return current === '' ? texts : [...texts, current];
}

function join(text: string, piece: Piece): string {
  return text === '' ? piece.text : text + piece.glue + piece.text;
}

/** Returns the last sentences of a piece that fit; none of tables and code, whose parts mean little by themselves. */
function toOverlap(piece: Piece, maxCharacters: number): string {
  if (piece.kind !== 'text' || maxCharacters === 0) return '';
  let overlap = { text: '', glue: '' };
  for (const { text, glue } of toSentences(piece.text).reverse()) {
    const longer = text + overlap.glue + overlap.text;
    if (longer.length > maxCharacters) break;
    overlap = { text: longer, glue };
  }
  return overlap.text;
}

/** Moves the end of a sentence that continues on the next page to the page on which it begins. */
function completeSentences(parts: DocumentPart[]): DocumentPart[] {
  const completed = parts.map((part) => ({ ...part }));
  for (const [index, part] of completed.entries()) {
    const next = completed[index + 1];
    if (!next || part.page === null || next.page === null || !continuesIn(part.text, next.text)) continue;
    const rest = findRest(next.text);
    if (rest === null) continue;
    part.text = `${part.text.trimEnd()} ${rest}`;
    next.text = next.text.trimStart().slice(rest.length).trimStart();
  }
  return completed;
}

function continuesIn(text: string, next: string): boolean {
  const end = text.trimEnd().slice(-20);
  return end !== '' && !endOfSentence.test(end) && /^\p{Ll}/u.test(next.trimStart());
}

function findRest(text: string): string | null {
  const start = text.trimStart().slice(0, maxRest);
  const end = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/.exec(start);
  return end ? start.slice(0, end.index + end[0].length) : null;
}
