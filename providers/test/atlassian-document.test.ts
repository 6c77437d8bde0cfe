import { expect, test } from 'vitest';
import { readAtlassianDocuments, toAtlassianDocument } from '../atlassian-document.ts';

test('text becomes paragraphs with line breaks', () => {
  expect(toAtlassianDocument('It leaks.\nFrom the lid.\n\n\nFix it.\n')).toEqual({
    type: 'doc',
    version: 1,
    content: [
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'It leaks.' },
          { type: 'hardBreak' },
          { type: 'text', text: 'From the lid.' },
        ],
      },
      { type: 'paragraph', content: [{ type: 'text', text: 'Fix it.' }] },
    ],
  });
  expect(toAtlassianDocument(' ')).toEqual({ type: 'doc', version: 1, content: [] });
});

test('documents in an answer become their texts, and addresses of pictures are left out', () => {
  const text = (value: string) => ({ type: 'text', text: value });
  const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
  const mention = { type: 'mention', attrs: { id: '1', text: '@Ana' } };
  const list = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('one'))] }] };
  const description = {
    type: 'doc',
    version: 1,
    content: [paragraph(text('Hi '), mention), list, paragraph(text('Bye'))],
  };
  expect(
    readAtlassianDocuments({
      key: 'TEA-1',
      self: 'https://x',
      fields: { description, labels: ['hot'], parent: null },
    } as never),
  ).toEqual({
    key: 'TEA-1',
    fields: { description: 'Hi @Ana\n- one\nBye', labels: ['hot'] },
  });
});
