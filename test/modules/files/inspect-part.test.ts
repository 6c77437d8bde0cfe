import { expect, test } from 'vitest';
import { createPageCounter } from '../../../src/modules/files/count-pages.ts';
import { inspectPart } from '../../../src/modules/files/inspect-part.ts';
import { createPdf } from '../../fixtures/documents.ts';
import { createPng } from '../../labs/file-scene.ts';

const parts = { countPages: createPageCounter(), signal: new AbortController().signal };
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc00011080010002003011100021101031101',
  'hex',
);
const page = '<!doctype html><p>Not found';

const cases: [string, string, Buffer | string, object][] = [
  ['a PNG', 'image/png', createPng(3, 2), { mediaType: 'image/png', width: 3, height: 2 }],
  ['a JPEG that is named a PNG', 'image/png', jpeg, { mediaType: 'image/jpeg', width: 32, height: 16 }],
  ['a page that is named an image', 'image/jpeg', page, { mediaType: 'text/plain' }],
  ['no bytes', 'image/png', '', { mediaType: 'text/plain' }],
  ['an image without measures', 'image/png', createPng(0, 0), { mediaType: 'application/octet-stream' }],
  [
    'an image of unknown type',
    'application/octet-stream',
    jpeg,
    { mediaType: 'image/jpeg', width: 32, height: 16 },
  ],
  ['raw audio', 'audio/L16;rate=24000', Buffer.from([0, 1, 2]), { mediaType: 'audio/L16;rate=24000' }],
  ['a type of its own', 'application/vnd.acme', Buffer.from([0, 1]), { mediaType: 'application/vnd.acme' }],
  ['a page', 'text/html', page, { mediaType: 'text/html' }],
  [
    'a PDF',
    'application/octet-stream',
    await createPdf(['1', '2']),
    { mediaType: 'application/pdf', pages: 2 },
  ],
  ['a broken PDF', 'application/pdf', '%PDF-1.7', { mediaType: 'application/pdf', pages: null }],
];

test.each(cases)(
  'of %s that a tool has returned, the content decides what models get',
  async (...[, mediaType, bytes, facts]) => {
    expect(await inspectPart({ bytes: Buffer.from(bytes), mediaType }, parts)).toEqual(facts);
  },
);
