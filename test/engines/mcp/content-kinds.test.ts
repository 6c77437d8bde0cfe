import { describe, expect, it } from 'vitest';
import type { BinaryPart } from '../../../src/engines/mcp/tool-result.ts';
import { containing } from '../../labs/matchers.ts';
import { textResult, type ScriptedTool } from '../../servers/mcp-servers.ts';
import { openScriptedManager } from '../../labs/mcp-manager-lab.ts';

const png = Buffer.alloc(12 * 1024, 1);
const wave = Buffer.from('RIFF');
const pdf = Buffer.from('%PDF-1.7');

const mixed: ScriptedTool = () => ({
  content: [
    { type: 'text', text: 'Here:' },
    { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
    { type: 'audio', mimeType: 'audio/wav', data: wave.toString('base64') },
    { type: 'resource_link', name: 'report', uri: 'file:///report.txt', mimeType: 'text/plain', size: 3 },
    { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
    {
      type: 'resource',
      resource: { uri: 'file:///files/b.pdf', mimeType: 'application/pdf', blob: pdf.toString('base64') },
    },
  ],
  structuredContent: { sum: 5 },
});

const described = [
  'Here:',
  '[image image/png, 12 KB, file id-image/png]',
  '[audio audio/wav, 4 bytes, file id-audio/wav]',
  '[link to report: file:///report.txt (text/plain)]',
  '[resource file:///a.txt]',
  'inside',
  '[resource file:///files/b.pdf application/pdf, 8 bytes, file id-application/pdf]',
];

const parts = [
  { type: 'text', text: 'Here:' },
  { type: 'image', mimeType: 'image/png', blobId: 'id-image/png', bytes: 12 * 1024 },
  { type: 'audio', mimeType: 'audio/wav', blobId: 'id-audio/wav', bytes: 4 },
  { type: 'resource_link', name: 'report', uri: 'file:///report.txt', mimeType: 'text/plain', size: 3 },
  { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
  {
    type: 'resource',
    resource: {
      uri: 'file:///files/b.pdf',
      mimeType: 'application/pdf',
      blobId: 'id-application/pdf',
      bytes: 8,
    },
  },
];

describe('the content of a tool result', () => {
  it('is kept in all its kinds, with references in place of binary data', async () => {
    const { call } = await openScriptedManager({ mixed });
    const kept: BinaryPart[] = [];
    const keepBinary = (part: BinaryPart) => {
      kept.push(part);
      return Promise.resolve({ id: `id-${part.mediaType}` });
    };
    expect(await call('mixed', { keepBinary })).toEqual({
      status: 'succeeded',
      text: described.join('\n'),
      content: { content: parts, structuredContent: { sum: 5 } },
    });
    expect(kept).toEqual([
      { bytes: png, mediaType: 'image/png' },
      { bytes: wave, mediaType: 'audio/wav' },
      { bytes: pdf, mediaType: 'application/pdf', name: 'b.pdf' },
    ]);
  });

  it('has a description in place of a file that cannot be stored', async () => {
    const { call } = await openScriptedManager({ mixed });
    expect(await call('mixed')).toMatchObject({
      status: 'succeeded',
      text: containing('[image image/png, 12 KB, not stored]'),
      content: { content: [{}, { type: 'image', blobId: null, bytes: 12 * 1024 }, {}, {}, {}, {}] },
    });
  });

  it('is given to the model as JSON when it is structured and there is no text', async () => {
    const { call } = await openScriptedManager({
      structured: () => ({ content: [], structuredContent: { sum: 5 } }),
    });
    expect(await call('structured')).toEqual({
      status: 'succeeded',
      text: '{"sum":5}',
      content: { content: [], structuredContent: { sum: 5 } },
    });
  });

  it('is stored as text alone when it has only text', async () => {
    const { call } = await openScriptedManager({ plain: () => textResult('only text') });
    expect(await call('plain')).toEqual({ status: 'succeeded', text: 'only text' });
  });

  it('is kept as details when the tool reports an error', async () => {
    const { call } = await openScriptedManager({
      refuse: () => ({ ...textResult('no stock'), structuredContent: { left: 0 }, isError: true }),
    });
    expect(await call('refuse')).toEqual({
      status: 'failed',
      error: {
        code: 'TOOL_FAILED',
        message: 'no stock',
        details: { content: [{ type: 'text', text: 'no stock' }], structuredContent: { left: 0 } },
      },
    });
  });

  it('is left out when it is nested too deep', async () => {
    let endless: Record<string, unknown> = {};
    for (let level = 0; level < 2_000; level += 1) endless = { in: endless };
    const { call } = await openScriptedManager({
      endless: () => ({ content: [], structuredContent: endless }),
    });
    expect(await call('endless')).toEqual({
      status: 'succeeded',
      text: '[structured content, left out: it is nested more than 50 levels deep]',
    });
  });
});
