import { documentMediaTypes, type DocumentMediaType } from '../../../domain/document-media-type.ts';
import { unreadable } from './unreadable.ts';

const zipStart = [0x50, 0x4b, 0x03, 0x04];
/** The first bytes of Word documents before 2007, and of Office documents with a password. */
const compoundFileStart = [0xd0, 0xcf, 0x11, 0xe0];
const { docx } = documentMediaTypes;

/**
 * Detects the type of a document. First bytes of PDF and DOCX override the declared type; otherwise the declared type is
 * returned.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` for a declared PDF or DOCX that is none, and for an old Word document
 */
export function detectMediaType(bytes: Uint8Array, declared: DocumentMediaType): DocumentMediaType {
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
