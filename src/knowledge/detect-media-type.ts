import { documentMediaTypes, type DocumentMediaType } from '../domain/knowledge.ts';
import { unreadable } from './unreadable.ts';

const zipStart = [0x50, 0x4b, 0x03, 0x04];
/** The container of Word before 2007, and of Office documents with a password. */
const compoundFileStart = [0xd0, 0xcf, 0x11, 0xe0];
const { docx } = documentMediaTypes;

/**
 * Detects the type of a document: PDF and DOCX by their first bytes, whatever was declared; otherwise it is the declared
 * type.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` for bytes that are not what they were declared to be
 */
export function detectMediaType(bytes: Uint8Array, declared: DocumentMediaType): DocumentMediaType {
  if (findPdfHeader(bytes, declared)) return 'application/pdf';
  if (startsWith(bytes, zipStart)) return docx;
  if (startsWith(bytes, compoundFileStart)) {
    throw unreadable(
      'This is an old Word document or one with a password. Save it as DOCX without a password.',
    );
  }
  if (declared === 'application/pdf')
    throw unreadable('This was said to be a PDF, but does not begin as one.');
  if (declared === docx) throw unreadable('This was said to be a DOCX document, but is none.');
  return declared;
}

/** Readers of PDF allow for other bytes before the header, up to 1024 (ISO 32000-1, annex H.3, note 13). */
function findPdfHeader(bytes: Uint8Array, declared: DocumentMediaType): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return declared === 'application/pdf' ? start.includes('%PDF-') : start.startsWith('%PDF-');
}

function startsWith(bytes: Uint8Array, start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
