import { expect, describe, test } from 'vitest';
import { strToU8, zipSync } from 'fflate';
import type { DocumentMediaType } from '../../../../src/domain/document-media-type.ts';
import { toDocumentMediaType } from '../../../../src/modules/knowledge/reading/to-document-media-type.ts';
import { readDocument } from '../../../../src/modules/knowledge/reading/read-document.ts';
import {
  createDocx,
  createHandbook,
  createPdf,
  docxParagraph,
  docxTable,
} from '../../../fixtures/documents.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const chunking = { maxCharacters: 800, overlapCharacters: 0 };

function read(content: Uint8Array | string, mediaType: DocumentMediaType) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return readDocument({ bytes, mediaType, chunking });
}

describe('a PDF', () => {
  test('is read page by page', async () => {
    const { mediaType, pages, chunks } = await read(await createHandbook(), 'application/pdf');
    expect([mediaType, pages]).toEqual(['application/pdf', 60]);
    expect(new Set(chunks.map(({ page }) => page)).size).toBe(60);
    const found = chunks.filter(({ text }) => text.includes('forty-one months'));
    expect(found.map(({ page }) => page)).toEqual([37]);
  });

  test('has its wrapped lines joined and its paragraphs separated', async () => {
    const paragraph = 'The quick brown fox jumps over the lazy dog and then goes on to the next field. '
      .repeat(3)
      .trim();
    const { chunks } = await read(await createPdf([`${paragraph}\nA second paragraph.`]), 'application/pdf');
    expect(chunks[0]?.text).toBe(`${paragraph}\n\nA second paragraph.`);
  });

  test('is detected by its content when its type says text', async () => {
    const { mediaType } = await read(await createPdf(['Hello there.']), 'text/plain');
    expect(mediaType).toBe('application/pdf');
  });

  test('that is protected, empty, damaged or not a PDF is refused with a reason', async () => {
    const locked = await createPdf(['Secret.'], { userPassword: 'open sesame' });
    await expect(read(locked, 'application/pdf')).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: expect.stringContaining('password') as string,
    });
    await expect(read(await createPdf(['']), 'application/pdf')).rejects.toThrow('text recognition');
    await expect(read('%PDF-1.7 and nothing more', 'application/pdf')).rejects.toThrow('damaged');
    await expect(read('Only text.', 'application/pdf')).rejects.toThrow('does not begin with a PDF header');
  });
});

describe('a DOCX document', () => {
  test('returns headings, lists and tables', async () => {
    const body = [
      docxParagraph('Handbook', 'Heading1'),
      docxParagraph('Welcome &amp; enjoy.'),
      docxParagraph('Prices', 'Heading2'),
      docxTable([
        ['Part', 'Price'],
        ['Bolt', '1.00'],
      ]),
    ].join('');
    const { mediaType, pages, chunks } = await read(createDocx(body), docx);
    expect([mediaType, pages]).toEqual([docx, null]);
    expect(chunks).toEqual([
      { headings: ['Handbook'], page: null, text: 'Welcome & enjoy.' },
      {
        headings: ['Handbook', 'Prices'],
        page: null,
        text: '| Part | Price |\n| --- | --- |\n| Bolt | 1.00 |',
      },
    ]);
  });

  test('that is another archive, damaged, or of the old format is refused with a reason', async () => {
    await expect(read(zipSync({ 'a.txt': strToU8('a') }), docx)).rejects.toThrow(
      'ZIP archive of another kind',
    );
    await expect(read(createDocx('').subarray(0, 300), docx)).rejects.toThrow('damaged');
    await expect(read(createDocx('<w:p>'), docx)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    await expect(read(Buffer.from('d0cf11e0a1b11ae1', 'hex'), docx)).rejects.toThrow('old Word document');
  });
});

describe('HTML', () => {
  test('becomes Markdown with headings, tables and code, without scripts and pictures', async () => {
    const html = `<html><head><title>Title</title><style>p{}</style></head><body><nav>Menu</nav>
      <h1>Guide</h1><p>Read <a href="https://example.org/a">this</a> and <a href="#b">that</a>.</p>
      <script>alert(1)</script><img src="data:image/png;base64,AAAA" alt="A drawing">
      <h2>Prices</h2><table><tr><th>Part</th><th>Price</th></tr><tr><td>Bolt</td><td>1|2</td></tr></table>
      <pre><code>run_it --now</code></pre></body></html>`;
    const { chunks } = await read(html, 'text/html');
    expect(chunks.map(({ headings }) => headings)).toEqual([['Guide'], ['Guide', 'Prices']]);
    const [guide, prices] = chunks.map(({ text }) => text);
    expect(guide).toBe('Read [this](https://example.org/a) and that.\n\nA drawing');
    expect(prices).toBe('| Part | Price |\n| --- | --- |\n| Bolt | 1\\|2 |\n\n```\nrun_it --now\n```');
  });

  test('in another encoding is decoded as its meta tag says', async () => {
    const html = Buffer.from('<meta charset="iso-8859-2"><p>\xb1\xe6\xea</p>', 'latin1');
    expect((await read(html, 'text/html')).chunks[0]?.text).toBe('ąćę');
  });
});

describe('text', () => {
  test('is decoded as UTF-8, UTF-16 with a byte order mark, and windows-1252', async () => {
    const texts = await Promise.all([
      read('Grüße 😀', 'text/plain'),
      read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße 😀', 'utf16le')]), 'text/plain'),
      read(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain'),
    ]);
    expect(texts.map(({ chunks }) => chunks[0]?.text)).toEqual(['Grüße 😀', 'Grüße 😀', 'Grüße']);
  });

  test('that is empty or binary is refused', async () => {
    await expect(read(' \n\n ', 'text/plain')).rejects.toThrow('holds no text');
    await expect(read(Buffer.from([1, 0, 2, 0]), 'text/plain')).rejects.toThrow('binary file');
  });
});

test.each([
  ['text/markdown', 'x', 'text/markdown'],
  ['text/plain; charset=utf-8', 'notes.md', 'text/markdown'],
  ['text/plain', 'notes.pdf', 'text/plain'],
  ['application/octet-stream', 'Report.PDF', 'application/pdf'],
  [undefined, 'report.docx', docx],
  ['text/csv', 'a.csv', 'text/plain'],
  ['text/html', 'page', 'text/html'],
  ['application/octet-stream', 'program.exe', null],
  ['image/png', 'picture.png', null],
  ['image/png', 'picture.pdf', null],
  [undefined, 'constructor', null],
])('a file of type %s named %s is read as %s', (declared, name, expected) => {
  expect(toDocumentMediaType(declared, name)).toBe(expected);
});

test('a document with too much text is refused with a reason', async () => {
  const bytes = Buffer.from(`${'x'.repeat(8000)}\n\n`.repeat(8500));
  const reading = readDocument({
    bytes,
    mediaType: 'text/plain',
    chunking: { maxCharacters: 8000, overlapCharacters: 0 },
  });
  await expect(reading).rejects.toThrow('68000000 characters of text');
});
