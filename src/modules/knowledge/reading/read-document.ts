import { HoldfastError } from '../../../domain/errors.ts';
import { type DocumentMediaType, documentMediaTypes } from '../../../domain/document-media-type.ts';
import type { Chunking, DocumentChunk } from '../../../domain/knowledge.ts';
import { toOneLine } from '../../../domain/text.ts';
import { chunkDocument } from './chunk-document.ts';
import type { DocumentPart } from './document-part.ts';
import { unreadable } from './unreadable.ts';

const zipStart = [0x50, 0x4b, 0x03, 0x04];

/** The first bytes of Word documents before 2007, and of Office documents with a password. */
const compoundFileStart = [0xd0, 0xcf, 0x11, 0xe0];

const { docx } = documentMediaTypes;

const byteOrderMarks: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The maximum number of chunks of one document. */
const maxChunks = 50_000;

/** The maximum text of one document, in characters. The whole text is in memory until it is stored. */
const maxTextCharacters = 64 * 1024 * 1024;

/** A document to read, with the sizes of its chunks. */
export interface DocumentToRead {
  bytes: Uint8Array;
  /** The declared type, which may differ from the detected one. */
  mediaType: DocumentMediaType;
  /** Null to read its whole text in place of chunks. */
  chunking: Chunking | null;
}

/** A document that was read and cut into chunks. */
export interface ReadDocument {
  mediaType: DocumentMediaType;
  pages: number | null;
  chunks: DocumentChunk[];
  /** The whole text, with a mark before each page; null for a document that was cut into chunks. */
  text: string | null;
}

/**
 * Reads a document and cuts it into chunks. A document may be hostile: call this in a thread with limits.
 * @throws HoldfastError `DOCUMENT_UNREADABLE`
 */
export async function readDocument({ bytes, mediaType, chunking }: DocumentToRead): Promise<ReadDocument> {
  const detected = detectMediaType(bytes, mediaType);
  const parts = await readParts(bytes, detected);
  const pages = detected === 'application/pdf' ? parts.length : null;
  if (chunking === null) return { mediaType: detected, pages, chunks: [], text: joinParts(parts) };
  const chunks = chunkDocument(parts, chunking);
  if (chunks.length === 0) throw unreadable('The document holds no text.');
  if (chunks.length > maxChunks) {
    throw unreadable(
      `The document makes ${chunks.length} chunks; at most ${maxChunks} are possible. Split it up.`,
    );
  }
  const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > maxTextCharacters) {
    throw unreadable(
      `The document holds ${characters} characters of text; at most ${maxTextCharacters} are possible. Split it up.`,
    );
  }
  return { mediaType: detected, pages, chunks, text: null };
}

function joinParts(parts: DocumentPart[]): string {
  const texts = parts.map(({ text, page }) => (page === null ? text : `[Page ${page}]\n${text}`));
  return texts.join('\n\n').slice(0, maxTextCharacters);
}

async function readParts(bytes: Uint8Array, mediaType: DocumentMediaType): Promise<DocumentPart[]> {
  const read = await loadReader(mediaType);
  try {
    return await read(bytes);
  } catch (error) {
    throw error instanceof HoldfastError ? error : unreadable(describeDamage(error, mediaType), error);
  }
}

type Reader = (bytes: Uint8Array) => DocumentPart[] | Promise<DocumentPart[]>;

/** Loads only the parser of this type, since every document is read in a new thread, which loads it again. */
async function loadReader(mediaType: DocumentMediaType): Promise<Reader> {
  switch (mediaType) {
    case 'application/pdf':
      return (await import('./read-pdf.ts')).readPdf;
    case 'text/plain':
      return (bytes) => [{ text: decodeText(bytes), format: 'plain', page: null }];
    case 'text/markdown':
      return (bytes) => [{ text: decodeText(bytes), format: 'markdown', page: null }];
    case 'text/html': {
      const { htmlToMarkdown } = await import('./html-to-markdown.ts');
      return (bytes) => [{ text: htmlToMarkdown(decodeText(bytes)), format: 'markdown', page: null }];
    }
    default: {
      const { readDocx } = await import('./read-docx.ts');
      return async (bytes) => [{ text: await readDocx(bytes), format: 'markdown', page: null }];
    }
  }
}

function describeDamage(error: unknown, mediaType: DocumentMediaType): string {
  if (error instanceof RangeError) return 'The document is nested too deeply or too large to be read.';
  const kind = mediaType === 'application/pdf' ? 'PDF' : mediaType === 'text/html' ? 'HTML' : 'DOCX document';
  const reason = error instanceof Error ? toOneLine(error.message, 200) : 'unknown reason';
  return `The ${kind} is damaged and cannot be read: ${reason}`;
}

/**
 * Decodes bytes by their byte order mark, else as UTF-8, else in the encoding that an HTML document names, else as
 * windows-1252, which older Windows programs write.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` for bytes that are not text
 */
function decodeText(bytes: Uint8Array): string {
  const mark = byteOrderMarks.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark) return new TextDecoder(mark[1]).decode(bytes);
  if (bytes.subarray(0, 8192).includes(0)) {
    throw unreadable('Expected text, Markdown, HTML, PDF or DOCX; found a binary file of another kind.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(findNamedEncoding(bytes)).decode(bytes);
  }
}

function findNamedEncoding(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const name = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(start)?.[1];
  try {
    return new TextDecoder(name).encoding === 'utf-8' ? 'windows-1252' : new TextDecoder(name).encoding;
  } catch {
    return 'windows-1252';
  }
}

/**
 * Detects the type of a document. First bytes of PDF and DOCX override the declared type; otherwise the declared type is
 * returned.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` for a declared PDF or DOCX that is none, and for an old Word document
 */
function detectMediaType(bytes: Uint8Array, declared: DocumentMediaType): DocumentMediaType {
  if (findPdfHeader(bytes, declared)) return 'application/pdf';
  if (startsWith(bytes, zipStart)) return docx;
  if (startsWith(bytes, compoundFileStart)) {
    throw unreadable(
      'The file is an old Word document or has a password. Save it as DOCX without a password.',
    );
  }
  if (declared === 'application/pdf')
    throw unreadable('The file was declared as a PDF, but does not begin with a PDF header.');
  if (declared === docx)
    throw unreadable('The file was declared as a DOCX document, but does not begin like one.');
  return declared;
}

/** The PDF header may follow up to 1024 other bytes, as PDF readers allow (ISO 32000-1, annex H.3, note 13). */
function findPdfHeader(bytes: Uint8Array, declared: DocumentMediaType): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return declared === 'application/pdf' ? start.includes('%PDF-') : start.startsWith('%PDF-');
}

function startsWith(bytes: Uint8Array, start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
