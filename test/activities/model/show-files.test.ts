import { expect, onTestFinished, test } from 'vitest';
import { showFiles } from '../../../activities/model/show-files.ts';
import type { PartFile } from '../../../src/domain/message-part.ts';
import type { ModelCall, ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';
import { startFormatServer } from '../../servers/format-server.ts';
import type { FormatVendor } from '../../servers/vendor-formats.ts';

const megabyte = 1024 * 1024;
const bytes = Buffer.from('the bytes of a file').toString('base64');

function file(id: string, mediaType: string, more: Partial<PartFile> = {}): PartFile {
  const facts = { size: 19, pages: null, width: null, height: null };
  return { id, name: `${id}.${mediaType.split('/')[1] ?? ''}`, mediaType, ...facts, ...more };
}

const cat = file('cat', 'image/png');
const offer = file('offer', 'application/pdf', { pages: 2 });
const song = file('song', 'audio/mpeg');
const table = file('table', 'text/csv');

/** The files of a workspace: all have the same bytes, and documents have a text. */
function createFiles(known: PartFile[], text = 'A text.') {
  const reads: string[] = [];
  const hasText = ({ mediaType }: PartFile) => /^text|pdf$/.test(mediaType);
  const partFiles = {
    list: () => Promise.resolve(new Map(known.map((one) => [one.id, one]))),
    readBase64: ({ file: { id } }: { file: PartFile }) => {
      reads.push(id);
      return Promise.resolve(bytes);
    },
    readText: ({ file: one }: { file: PartFile }) =>
      Promise.resolve(hasText(one) ? { text, characters: text.length } : null),
  };
  return { partFiles, reads };
}

function ask(...files: (PartFile | null)[]): ModelMessage {
  const parts = files.map((one) => ({ type: 'file' as const, file: one, from: 'file' as const }));
  return { role: 'user', text: 'What is this?', parts: [{ type: 'text', text: 'What is this?' }, ...parts] };
}

/** A tool has answered with a picture. */
const pictureCall: ModelMessage[] = [
  { role: 'user', text: 'Weather?' },
  {
    role: 'assistant',
    text: '',
    toolCalls: [{ modelCallId: 'call_1', name: 'get_weather', arguments: { city: 'Kiel' } }],
  },
  {
    role: 'tool',
    ...{ modelCallId: 'call_1', name: 'get_weather', text: '[image image/png, 19 bytes]', isError: false },
    parts: [{ type: 'file', file: cat, from: 'result' }],
  },
];

interface Asked {
  vendor: FormatVendor;
  model: string;
  messages: ModelMessage[];
  takes?: ModelCall['takes'];
  known?: PartFile[];
}

/** Calls a model whose server checks the documented format of its vendor; returns the content that it got. */
async function send({ vendor, model, messages, takes, known = [cat, offer, song, table] }: Asked) {
  const server = await startFormatServer(vendor);
  onTestFinished(server.close);
  const { call } = createModelCall({ model, messages, tools: [weatherTool], ...(takes && { takes }) });
  const shown = await showFiles(createFiles(known), call, 'w1');
  const callModel = createLanguageModelCaller({ [vendor]: { apiKey: 'key', baseUrl: server.baseUrl } });
  const answer = await callModel(shown);
  expect(answer.text).toBe('Seen.');
  const body = server.bodies[0] ?? {};
  return body['input'] ?? body['messages'] ?? body['contents'];
}

const textOfOffer = '[The text of the file "offer.pdf":]\nA text.\n[The end of the file "offer.pdf".]';
const noteOfSong = '[The file "song.mpeg" is not shown: this model takes no audio.]';

test('an OpenAI model gets images and PDFs as they are, and the text of other documents', async () => {
  const detailed = ask(cat, offer, song, table);
  expect(await send({ vendor: 'openai', model: 'openai/gpt-5', messages: [detailed] })).toEqual([
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: `data:image/png;base64,${bytes}` },
        { type: 'input_file', filename: 'offer.pdf', file_data: `data:application/pdf;base64,${bytes}` },
        { type: 'input_text', text: noteOfSong },
        {
          type: 'input_text',
          text: '[The text of the file "table.csv":]\nA text.\n[The end of the file "table.csv".]',
        },
      ],
    },
  ]);
});

test('the detail of an image reaches the vendor that has it', async () => {
  const messages: ModelMessage[] = [
    { role: 'user', text: '', parts: [{ type: 'file', file: cat, from: 'image', detail: 'low' }] },
  ];
  expect(await send({ vendor: 'openai', model: 'openai/gpt-5', messages })).toMatchObject([
    {},
    { content: [{ type: 'input_image', detail: 'low' }] },
  ]);
});

test('an Anthropic model gets images and PDFs as blocks', async () => {
  const model = 'anthropic/claude-sonnet-4-5';
  expect(await send({ vendor: 'anthropic', model, messages: [ask(cat, offer, song)] })).toMatchObject([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: bytes },
          title: 'offer.pdf',
        },
        { type: 'text', text: noteOfSong },
      ],
    },
  ]);
});

test('a Google model gets images, PDFs and audio inline', async () => {
  const model = 'google/gemini-2.5-flash';
  expect(await send({ vendor: 'google', model, messages: [ask(cat, offer, song)] })).toEqual([
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: bytes } },
        { inlineData: { mimeType: 'application/pdf', data: bytes } },
        { inlineData: { mimeType: 'audio/mpeg', data: bytes } },
      ],
    },
  ]);
});

test('a compatible model gets what its agent says that it takes', async () => {
  const asked: Asked = {
    vendor: 'compatible',
    model: 'compatible/seeing',
    messages: [ask(cat, offer, song)],
  };
  expect(await send({ ...asked, takes: ['image', 'audio'] })).toMatchObject([
    {},
    {
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes}` } },
        { type: 'text', text: textOfOffer },
        { type: 'input_audio', input_audio: { data: bytes, format: 'mp3' } },
      ],
    },
  ]);
  expect(await send(asked)).toMatchObject([
    {},
    {
      content: [
        { text: 'What is this?' },
        { text: '[The image "cat.png" is not shown: this model takes no images.]' },
        { text: textOfOffer },
        { text: noteOfSong },
      ],
    },
  ]);
});

test('images of tool results are part of the result where the vendor takes them', async () => {
  const asked = { messages: pictureCall };
  expect(await send({ vendor: 'openai', model: 'openai/gpt-5', ...asked })).toMatchObject([
    {},
    {},
    { type: 'function_call' },
    {
      type: 'function_call_output',
      output: [
        { type: 'input_text', text: '[image image/png, 19 bytes]' },
        { type: 'input_image', image_url: `data:image/png;base64,${bytes}` },
      ],
    },
  ]);
  expect(await send({ vendor: 'anthropic', model: 'anthropic/claude-sonnet-5', ...asked })).toMatchObject([
    {},
    {},
    {
      content: [
        {
          type: 'tool_result',
          content: [{ type: 'text' }, { type: 'image', source: { media_type: 'image/png', data: bytes } }],
        },
      ],
    },
  ]);
  const sent = await send({ vendor: 'google', model: 'google/gemini-3.5-flash', ...asked });
  expect(sent).toMatchObject([
    {},
    {},
    { parts: [{ functionResponse: { parts: [{ inlineData: { mimeType: 'image/png', data: bytes } }] } }] },
  ]);
});

test('images of tool results come in a message after the results where the vendor takes none there', async () => {
  const after = '[The image "cat.png" of the result of get_weather, call call_1:]';
  const compatible: Asked = { vendor: 'compatible', model: 'compatible/seeing', messages: pictureCall };
  expect(await send({ ...compatible, takes: ['image'] })).toMatchObject([
    {},
    {},
    { tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: '[image image/png, 19 bytes]' },
    { role: 'user', content: [{ text: after }, { image_url: { url: `data:image/png;base64,${bytes}` } }] },
  ]);
  expect(await send(compatible)).toMatchObject([
    ...[{}, {}, {}],
    { role: 'tool', content: '[image image/png, 19 bytes]' },
  ]);
  const older = await send({ vendor: 'google', model: 'google/gemini-2.5-flash', messages: pictureCall });
  expect(older).toMatchObject([
    {},
    {},
    { parts: [{ functionResponse: { name: 'get_weather' } }] },
    {
      role: 'user',
      parts: [{ text: after }, { inlineData: { mimeType: 'image/png', data: bytes } }],
    },
  ]);
});

test('a deleted file, and one that a vendor would refuse, is a note or its text', async () => {
  const large = file('large', 'image/png', { size: 6 * megabyte });
  const long = file('long', 'application/pdf', { pages: 400 });
  const gone = file('gone', 'image/png');
  const messages = [ask(large, long, gone, null)];
  const model = 'anthropic/claude-sonnet-4-5';
  expect(await send({ vendor: 'anthropic', model, messages, known: [large, long] })).toMatchObject([
    {
      content: [
        {},
        {
          text: expect.stringMatching(
            /^\[The image "large.png" is not shown: it has 6291456 bytes/,
          ) as string,
        },
        { text: expect.stringContaining('[The text of the file "long.pdf":]') as string },
        { text: '[A file of this message was deleted.]' },
        { text: '[A file of this message was deleted.]' },
      ],
    },
  ]);
});

test('an image with too long a side, and a PDF that cannot be opened, do not break the request', async () => {
  const wide = file('wide', 'image/png', { width: 9000, height: 100 });
  const locked = file('locked', 'application/pdf');
  const messages = [ask(wide, locked)];
  const model = 'anthropic/claude-sonnet-4-5';
  expect(await send({ vendor: 'anthropic', model, messages, known: [wide, locked] })).toMatchObject([
    {
      content: [
        {},
        {
          text: '[The image "wide.png" is not shown: it has 9000 × 100 pixels, and this model takes at most 8000 a side.]',
        },
        { text: expect.stringContaining('[The text of the file "locked.pdf":]') as string },
      ],
    },
  ]);
});

test('a voice message is sent by its type without parameters', async () => {
  const voice = file('voice', 'audio/ogg; codecs=opus');
  const model = 'google/gemini-2.5-flash';
  expect(await send({ vendor: 'google', model, messages: [ask(voice)], known: [voice] })).toMatchObject([
    { parts: [{}, { inlineData: { mimeType: 'audio/ogg', data: bytes } }] },
  ]);
});

test('the oldest files become notes in steps, so that most calls begin as the one before', async () => {
  const known = Array.from({ length: 60 }, (_, index) => file(`f${index}`, 'image/png', { size: megabyte }));
  const { partFiles } = createFiles(known);
  const starts: number[] = [];
  for (const count of known.keys()) {
    const messages = known.slice(0, count + 1).map((one) => ask(one));
    const { call } = createModelCall({ model: 'anthropic/claude-sonnet-5', messages });
    const shown = await showFiles({ partFiles }, call, 'w1');
    const kept = shown.messages.map((message) => JSON.stringify(message).includes('"as":"bytes"'));
    expect(kept.at(-1)).toBe(true);
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(20);
    starts.push(kept.indexOf(true));
  }
  expect(new Set(starts).size).toBeLessThanOrEqual(6);
});

test('the texts of files together are limited, and the oldest ones become notes', async () => {
  const known = Array.from({ length: 6 }, (_, index) => file(`t${index}`, 'text/csv'));
  const { partFiles } = createFiles(known, 'x'.repeat(100_000));
  const { call } = createModelCall({ model: 'openai/gpt-5', messages: [ask(...known)] });
  const { messages } = await showFiles({ partFiles }, call, 'w1');
  const text = JSON.stringify(messages);
  expect(text.length).toBeLessThan(401_000);
  expect(text).toContain('[The file \\"t0.csv\\" is not shown: newer files took its place.]');
  expect(text).toContain('[The end of the file \\"t5.csv\\".]');
});

test('a call without files reads nothing and is returned as it is', async () => {
  const { call } = createModelCall({ model: 'openai/gpt-5' });
  const partFiles = createFiles([]).partFiles;
  const refuse = () => Promise.reject(new Error('nothing is to be read'));
  expect(await showFiles({ partFiles: { ...partFiles, list: refuse } }, call, 'w1')).toBe(call);
});
