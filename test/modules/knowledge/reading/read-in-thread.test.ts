import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { DocumentMediaType } from '../../../../src/domain/document-media-type.ts';
import {
  createDocumentReader,
  type ReaderLimits,
} from '../../../../src/modules/knowledge/reading/read-in-thread.ts';
import { createDocx, createHandbook, docxParagraph } from '../../../fixtures/documents.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const chunking = { maxCharacters: 800, overlapCharacters: 0 };

function read(content: Uint8Array | string, mediaType: DocumentMediaType, limits: ReaderLimits = {}) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return createDocumentReader(limits)({ bytes, mediaType, chunking }, new AbortController().signal);
}

/** A PDF whose only page is drawn by this compressed stream. */
function createPdfBomb(content: Uint8Array): Buffer {
  const packed = deflateSync(content, { level: 1 });
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << >> >>'),
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
  ];
  const body = objects.map((object, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]),
  );
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...body, Buffer.from('trailer << /Root 1 0 R >>\n%%EOF')]);
}

test('a document is read in a thread as it is outside', async () => {
  const { pages, chunks } = await read(await createHandbook(), 'application/pdf');
  expect(pages).toBe(60);
  expect(chunks.find(({ text }) => text.includes('Heron 9'))?.page).toBe(37);
  const word = await read(createDocx(docxParagraph('Hello.')), docx);
  expect(word.chunks).toEqual([{ headings: [], page: null, text: 'Hello.' }]);
});

test('an unreadable document is refused with the reason', async () => {
  await expect(read('Only text.', 'application/pdf')).rejects.toMatchObject({
    code: 'DOCUMENT_UNREADABLE',
    message: 'The file was declared as a PDF, but does not begin with a PDF header.',
  });
});

test('HTML that is nested without an end is refused, and nothing else falls', async () => {
  const deep = '<div>'.repeat(200_000);
  await expect(read(deep, 'text/html', { timeoutMs: 3_000 })).rejects.toMatchObject({
    code: 'DOCUMENT_UNREADABLE',
  });
});

/** Each took a reader minutes whose work grows with the square of the length or of the depth. */
const hostilePages: [string, string][] = [
  ['one word of 4 MiB', 'x'.repeat(4 * 1024 * 1024)],
  ['4 MiB inside of 2,000 elements', '<span>'.repeat(2_000) + '<b>word</b> '.repeat(350_000)],
  [
    '20,000 rows below one of 20,000 cells',
    `<table><tr>${'<td>x'.repeat(20_000)}${'<tr><td>y'.repeat(20_000)}`,
  ],
];

test.each(hostilePages)(
  '%s are read in seconds',
  async (_name, page) => {
    const { chunks } = await read(page, 'text/html', { timeoutMs: 20_000 });
    expect(chunks.length).toBeGreaterThan(0);
  },
  30_000,
);

const mebibyte = 1024 * 1024;

/** An archive of 16 MiB of zeros that says in its headers that it unpacks to so many bytes. */
function createZipBomb(declaredBytes: number): Buffer {
  const bytes = 16 * mebibyte;
  const document = new Uint8Array(bytes);
  const types = strToU8('wordprocessingml');
  const bomb = Buffer.from(zipSync({ '[Content_Types].xml': types, 'word/document.xml': document }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes);
  for (let at = bomb.indexOf(size); at >= 0; at = bomb.indexOf(size)) bomb.writeUInt32LE(declaredBytes, at);
  return bomb;
}

test('an archive that unpacks to too much is refused before it is unpacked', async () => {
  const reading = read(createZipBomb(200 * mebibyte), docx);
  await expect(reading).rejects.toThrow('unpacks to more than can be read');
});

test('an archive that says it is small is cut off where it says', async () => {
  const reading = read(createZipBomb(10), docx, { maxMegabytes: 64 });
  await expect(reading).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
});

test('a PDF that unpacks to too much is ended at the limit of its memory, without a trace in ours', async () => {
  const bomb = createPdfBomb(new Uint8Array(300 * 1024 * 1024).fill(0x20));
  const before = process.memoryUsage().rss;
  await expect(read(bomb, 'application/pdf', { maxMegabytes: 64 })).rejects.toMatchObject({
    code: 'DOCUMENT_UNREADABLE',
    message: 'Reading the document took more than 64 MiB of memory.',
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(350 * 1024 * 1024);
});

test('a document that takes too long is ended at the limit of its time', async () => {
  const text = '<p>a'.repeat(400_000);
  await expect(read(text, 'text/html', { timeoutMs: 300 })).rejects.toMatchObject({
    code: 'DOCUMENT_UNREADABLE',
    message: 'Reading the document took longer than 0.3 s.',
  });
});

test('a reader that is told to stop stops, also while it waits for its place', async () => {
  const reader = createDocumentReader({ threads: 1 });
  const bytes = new TextEncoder().encode('<p>a'.repeat(400_000));
  const stop = new AbortController();
  const reading = [1, 2].map(() => reader({ bytes, mediaType: 'text/html', chunking }, stop.signal));
  stop.abort(new Error('stopped'));
  const ends = await Promise.allSettled(reading);
  expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual([
    'Error: stopped',
    'Error: stopped',
  ]);
  const after = await reader(
    { bytes: new TextEncoder().encode('Hello.'), mediaType: 'text/plain', chunking },
    new AbortController().signal,
  );
  expect(after.chunks).toHaveLength(1);
});
