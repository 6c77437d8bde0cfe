import { expect, test } from 'vitest';
import { detectFileType } from '../../../src/modules/files/detect-file-type.ts';
import { createDocx, createPdf, docxParagraph } from '../../fixtures/documents.ts';
import { createPng } from '../../labs/file-scene.ts';

const plain = { name: null, declared: '' };

const cases: [
  what: string,
  head: Uint8Array,
  said: { name: string | null; declared: string },
  type: string,
][] = [
  ['a PNG with a wrong name', createPng(1, 1), { name: 'a.txt', declared: 'text/plain' }, 'image/png'],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), plain, 'image/gif'],
  [
    'a program that is declared as an image',
    Buffer.from('MZ\x90\x00\x03\x00'),
    { name: 'a.png', declared: 'image/png' },
    'application/x-msdownload',
  ],
  [
    'a script that is declared as an image',
    Buffer.from('<script>alert(1)</script>'),
    { name: 'a.png', declared: 'image/png' },
    'text/plain',
  ],
  ['a text', Buffer.from('Grüße, 世界'), plain, 'text/plain'],
  [
    'a text with the name of Markdown',
    Buffer.from('# Title'),
    { name: 'a.b.MD', declared: 'text/plain' },
    'text/markdown',
  ],
  [
    'a text that is declared as CSV',
    Buffer.from('a;b'),
    { name: 'data', declared: 'text/csv; header=present' },
    'text/csv',
  ],
  ['JSON', Buffer.from('{"a": 1}'), { name: 'a.json', declared: '' }, 'application/json'],
  ['SVG without a name', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), plain, 'image/svg+xml'],
  ['XML without a name', Buffer.from('<?xml version="1.0"?><a/>'), plain, 'application/xml'],
  [
    'UTF-16',
    Buffer.from('\ufeffHello', 'utf16le'),
    { name: 'a.txt', declared: '' },
    'text/plain; charset=utf-16le',
  ],
  [
    'an old text file',
    Buffer.from('Gr\xfc\xdfe', 'latin1'),
    { name: 'a.txt', declared: '' },
    'text/plain; charset=windows-1252',
  ],
  ['bytes that nobody calls text', Buffer.from('\xfc\xdf\xfe', 'latin1'), plain, 'application/octet-stream'],
  [
    'bytes with control characters',
    Buffer.from([0x41, 0, 1, 2]),
    { name: 'a.txt', declared: 'text/plain' },
    'application/octet-stream',
  ],
  ['a character that the head cuts', Buffer.from('世界').subarray(0, 5), plain, 'text/plain'],
];

test.each(cases.map(([what, head, said, type]) => ({ what, head, said, type })))(
  'the type of $what is found by its content',
  async ({ head, said, type }) => {
    expect(await detectFileType(head, said)).toBe(type);
  },
);

test('documents are found by their content', async () => {
  expect(await detectFileType(await createPdf(['One.']), plain)).toBe('application/pdf');
  const docx = createDocx(docxParagraph('One.'));
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  expect(await detectFileType(docx, { name: 'a.docx', declared: '' })).toBe(type);
});
