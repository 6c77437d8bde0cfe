import { getDocumentProxy } from 'unpdf';
import type { DocumentPart } from './document-part.ts';
import { toParagraphs, type TextItem } from './pdf-paragraphs.ts';
import { unreadable } from './unreadable.ts';

/**
 * Reads a PDF page by page.
 * @throws HoldfastError `DOCUMENT_UNREADABLE` for a PDF with a password, or with pictures only
 */
export async function readPdf(bytes: Uint8Array): Promise<DocumentPart[]> {
  const pdf = await openPdf(bytes);
  try {
    const parts: DocumentPart[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = toParagraphs(items.filter((item): item is TextItem & typeof item => 'str' in item));
      parts.push({ text, format: 'plain', page: number });
      page.cleanup();
    }
    if (parts.every(({ text }) => text.trim() === '')) {
      throw unreadable(
        'The PDF has no text: its pages are pictures. Run it through text recognition (OCR) first.',
      );
    }
    return parts;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function openPdf(bytes: Uint8Array) {
  try {
    // A plain array, since the library refuses a Buffer.
    const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return await getDocumentProxy(data, { useSystemFonts: false, verbosity: 0 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw unreadable('The PDF is protected by a password. Upload it without one.', error);
    }
    throw error;
  }
}
