import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { MessagePart } from '../../src/domain/message-part.ts';
import type { FileFacts } from '../../src/domain/file.ts';
import { executionModes, type Agent } from '../../src/domain/agent.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { createPdf } from '../fixtures/documents.ts';
import { startLabApi, type LabApi } from '../labs/lab-api.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { replay } from '../labs/replay-scene.ts';
import { onePixelPng, storeFile } from '../labs/stored-file.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { startFormatServer, type FormatServer } from '../servers/format-server.ts';
import { startScriptedServer, type ScriptedServer } from '../servers/mcp-servers.ts';

let vendor: FormatServer;
let server: ScriptedServer;
let lab: TurnLab;
let api: LabApi;

const drawTool = mcpTool('draw', { effect: 'read_only' }, { type: 'object', properties: {} });
const pdf = await createPdf(['The offer is valid until Friday.']);
const png = onePixelPng.toString('base64');

beforeAll(async () => {
  server = await startScriptedServer({
    draw: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: png }] }),
  });
  vendor = await startFormatServer('openai', ({ tools, input }) => {
    const isAsked = Array.isArray(tools) && !JSON.stringify(input).includes('function_call_output');
    return isAsked ? { tool: drawTool.name, input: {} } : null;
  });
  const environment = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: vendor.baseUrl };
  lab = await startTurnLab({ environment, mcpServers: { lab: { url: server.url } } });
  api = await startLabApi(lab);
});
afterAll(async () => {
  await api.stop();
  await lab.close();
  await vendor.close();
  await server.close();
});

async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const headers = { authorization: `Bearer ${api.key}` };
  const response = await fetch(`${api.url}/api/files`, { method: 'POST', headers, body: form });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: { file: FileFacts } };
  return data.file.id;
}

async function open(agent: object): Promise<string> {
  const named = { name: 'Reader', instructions: 'Read.', ...agent };
  const { agent: created } = await api.ask<{ agent: Agent }>('POST', '/api/agents', named);
  const { conversation } = await api.ask<{ conversation: { id: string } }>('POST', '/api/conversations', {
    agentId: created.id,
  });
  return conversation.id;
}

async function send(conversationId: string, message: string | MessagePart[]): Promise<TurnDetails> {
  const path = `/api/conversations/${conversationId}/turns?wait=true`;
  const { turn } = await api.ask<{ turn: TurnDetails }>('POST', path, { message });
  return turn;
}

/** The input of the last request that the vendor got. */
function lastInput(): JsonValue[] {
  return (vendor.bodies.at(-1)?.['input'] ?? []) as JsonValue[];
}

const image = { type: 'input_image', image_url: `data:image/png;base64,${png}` };
const document = {
  type: 'input_file',
  filename: 'offer.pdf',
  file_data: `data:application/pdf;base64,${pdf.toString('base64')}`,
};

describe.each(executionModes)('in the mode %s', (execution) => {
  test('an image and a PDF reach a model that takes them, and stay where they were in later calls', async () => {
    const conversationId = await open({ model: 'openai/gpt-5', execution });
    const [cat, offer] = [await upload('cat.png', onePixelPng), await upload('offer.pdf', pdf)];
    const parts: MessagePart[] = [
      { type: 'text', text: 'What are these?' },
      { type: 'image', fileId: cat },
      { type: 'file', fileId: offer },
      { type: 'data', data: { order: 7 }, name: 'order' },
    ];
    const first = await send(conversationId, parts);
    expect(first).toMatchObject({ status: 'completed', answer: 'Seen.' });
    const asked = lastInput();
    const content = [
      { type: 'input_text', text: 'What are these?' },
      image,
      document,
      { type: 'input_text', text: 'Data "order" as JSON:\n{"order":7}' },
    ];
    expect(asked.at(-1)).toEqual({ role: 'user', content });

    expect(await send(conversationId, 'And now?')).toMatchObject({ answer: 'Seen.' });
    expect(lastInput().slice(0, asked.length)).toEqual(asked);
    const { turn: forked } = await api.ask<{ turn: TurnDetails }>(
      'POST',
      `/api/conversations/${conversationId}/fork`,
      { turnId: first.id },
    );
    expect(await lab.waitForOutcome(forked.id)).toMatchObject({ answer: 'Seen.' });
    expect(lastInput()).toEqual(asked);

    const again = await replay(
      { api },
      { selection: { turnIds: [first.id] }, candidate: { model: 'openai/gpt-5-mini' }, baseline: false },
    );
    expect(again).toMatchObject({ status: 'completed', cases: 1 });
    expect(vendor.bodies.at(-1)).toMatchObject({ model: 'gpt-5-mini', input: asked });

    await api.ask('DELETE', `/api/files/${cat}`);
    expect(await send(conversationId, 'Still there?')).toMatchObject({ status: 'completed' });
    expect(lastInput()[asked.length - 1]).toMatchObject({
      content: [{}, { type: 'input_text', text: '[A file of this message was deleted.]' }, document, {}],
    });
  });

  test('an image of a tool result reaches a model that sees', async () => {
    const conversationId = await open({ model: 'openai/gpt-5', execution, tools: [drawTool] });
    expect(await send(conversationId, 'Draw a cat.')).toMatchObject({ status: 'completed', answer: 'Seen.' });
    expect(lastInput().at(-1)).toMatchObject({
      type: 'function_call_output',
      output: [{ type: 'input_text' }, image],
    });
  });

  test('a model that takes the files of a message is called before one that does not', async () => {
    const scene = await lab.scene({ execution });
    const { model } = scene.agent;
    const fallbackModels = [{ model: 'openai/gpt-5' }];
    const conversationId = await open({ model, execution, fallbackModels });
    scene.reply({ text: 'Only words.' });
    expect(await send(conversationId, 'Hello')).toMatchObject({ answer: 'Only words.' });
    const cat = await upload('cat.png', onePixelPng);
    expect(await send(conversationId, [{ type: 'image', fileId: cat }])).toMatchObject({ answer: 'Seen.' });
    const passed = (await lab.readEvents(conversationId)).flatMap((event) =>
      event.type === 'model.passed' ? [event.payload] : [],
    );
    expect(passed).toMatchObject([
      { iteration: 1, model, next: 'openai/gpt-5', error: { code: 'MODEL_INPUT_NOT_TAKEN' } },
    ]);
  });

  test('parts of a message that steers a turn reach its next model call', async () => {
    const tools = [drawTool];
    const scene = await lab.scene({ execution, tools, modelSettings: { takes: ['image'] } });
    const file = {
      workspaceId: lab.workspaceId,
      name: 'dog.png',
      mediaType: 'image/png',
      bytes: onePixelPng,
    };
    const fileId = await storeFile(lab.database, file);
    let release = () => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    scene.reply({ toolCalls: [{ name: drawTool.name, arguments: {} }], until }, { text: 'A dog.' });
    const turnId = await scene.say('Draw.');
    await scene.waitForRequest(1);
    const steering: MessagePart[] = [
      { type: 'text', text: 'Like this one.' },
      { type: 'image', fileId },
    ];
    await scene.say(steering, { onBusy: 'steer' });
    release();
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ status: 'completed', answer: 'A dog.' });
    const seen = { type: 'image_url', image_url: { url: image.image_url } };
    expect(scene.requests()[1]?.body.messages.slice(2)).toMatchObject([
      ...[{ role: 'assistant' }, { role: 'tool' }],
      { role: 'user', content: [{ text: 'Like this one.' }, seen] },
    ]);
  });
});

test('a model without files gets the text of a PDF, which is read once, and a note for an image', async () => {
  const scene = await lab.scene();
  const conversationId = await open({ model: scene.agent.model });
  const [cat, offer] = [await upload('cat.png', onePixelPng), await upload('offer.pdf', pdf)];
  scene.reply({ text: 'Read.' }, { text: 'Again.' });
  const parts: MessagePart[] = [
    { type: 'image', fileId: cat },
    { type: 'file', fileId: offer },
  ];
  expect(await send(conversationId, parts)).toMatchObject({ answer: 'Read.' });
  await send(conversationId, 'Again?');
  const shown = scene.requests().map(({ body }) => body.messages[1]);
  expect(shown[0]).toEqual(shown[1]);
  expect((shown[0] as unknown as JsonObject)['content']).toEqual([
    { type: 'text', text: '[The image "cat.png" is not shown: this model takes no images.]' },
    {
      type: 'text',
      text:
        '[The text of the file "offer.pdf":]\n[Page 1]\nThe offer is valid until Friday.\n' +
        '[The end of the file "offer.pdf".]',
    },
  ]);
  const texts = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    trx('file_texts').where({ file_id: offer }).pluck<string[]>('text'),
  );
  expect(texts).toHaveLength(1);
});
