import { once } from 'node:events';
import { strToU8, zipSync } from 'fflate';
import PDFDocument from 'pdfkit';

/** A PDF with one page for each text. */
export async function createPdf(pages: string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument({ autoFirstPage: false, ...options });
  const pieces: Buffer[] = [];
  pdf.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = once(pdf, 'end');
  for (const text of pages) pdf.addPage().fontSize(12).text(text, { paragraphGap: 14 });
  pdf.end();
  await ended;
  return Buffer.concat(pieces);
}

/** What a chapter of the handbook below is about. */
export const handbookTopics = [
  'pump',
  'valve',
  'boiler',
  'turbine',
  'filter',
  'sensor',
  'gearbox',
  'compressor',
];

/** A handbook of 60 pages of which page 37 alone says how long the warranty of the Heron is. */
export function createHandbook(): Promise<Buffer> {
  return createPdf(
    Array.from({ length: 60 }, (_, index) => {
      const topic = handbookTopics[index % handbookTopics.length] ?? '';
      const page = index + 1;
      const filler = `Section ${page}. Check the ${topic} of each machine every ${page} days. Write down what was found.`;
      if (page !== 37) return `${filler}\n\nThe ${topic} is delivered with a certificate of the maker.`;
      return `${filler}\n\nThe warranty of the Heron 9 lasts forty-one months from the day of delivery.`;
    }),
  );
}

const contentTypes = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;

const relationships = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>`;

/** A paragraph of a DOCX body; with a style such as `Heading1` it is a heading. */
export function docxParagraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A table of a DOCX body. */
export function docxTable(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<w:tc>${docxParagraph(cell)}</w:tc>`).join('');
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}

/** A DOCX document as Word writes it, with this body. */
export function createDocx(body: string): Buffer {
  const document = `<?xml version="1.0" encoding="UTF-8"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(contentTypes),
      '_rels/.rels': strToU8(relationships),
      'word/document.xml': strToU8(document),
      // What a reader of text has no use for.
      'word/media/image1.png': new Uint8Array(1000),
    }),
  );
}
