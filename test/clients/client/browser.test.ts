import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, expect, it } from 'vitest';
import type { HoldfastClient, HoldfastClientOptions } from '../../../src/clients/client/index.ts';
import { answerWith, quickRetry, startScriptedApi, streamFrames } from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toDeltaFrame,
  toStoredFrame,
  toSettledPayload,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

/** The globals of a browser that the client may use; nothing of Node is among them. */
const browserGlobals = {
  ...{ fetch, Response, Headers, FormData, Blob, URL, URLSearchParams, crypto },
  ...{ AbortController, AbortSignal, TextDecoder, ReadableStream, setTimeout, clearTimeout },
};

const limitBytes = 10 * 1024;

let bundle: string;

beforeAll(async () => {
  const build = await rolldown({
    input: 'src/clients/client/index.ts',
    platform: 'browser',
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await build.generate({ format: 'iife', name: 'holdfast', minify: true });
  bundle = output[0].code;
});

function createClient(options: HoldfastClientOptions): HoldfastClient {
  const context = vm.createContext({ ...browserGlobals });
  vm.runInContext(`${bundle}; globalThis.create = holdfast.createHoldfastClient`, context);
  return (context as { create: (options: HoldfastClientOptions) => HoldfastClient }).create(options);
}

it('the browser bundle is one small file without Node modules', () => {
  expect(bundle).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
  expect(gzipSync(bundle).byteLength).toBeLessThan(limitBytes);
});

it('the browser bundle runs a turn with only the globals of a browser', async () => {
  const frames = [
    toDeltaFrame([1, 11], 'Hel'),
    toDeltaFrame([1, 12], 'lo.'),
    toStoredFrame([2, 12], 'turn.settled', toSettledPayload('Hello.')),
  ];
  const settled = toTurn({ outcome: 'completed', answer: 'Hello.' });
  const api = await startScriptedApi({
    'POST /api/agents': answerWith({ agent: { id: agentId } }, 201),
    'POST /api/conversations': answerWith({ conversation: { id: conversationId } }, 201),
    [`POST /api/conversations/${conversationId}/turns`]: answerWith({ turn: toTurn() }, 202),
    [`GET /api/turns/${turnId}/events`]: streamFrames(frames),
    [`GET /api/turns/${turnId}`]: [answerWith({ turn: toTurn() }), answerWith({ turn: settled })],
  });
  const { baseUrl, apiKey } = api;
  const client = createClient({ baseUrl, apiKey, retry: quickRetry });

  const agent = await client.agents.create({ name: 'Demo', model: 'demo', instructions: '' });
  const conversation = await client.conversations.create({ agentId: agent.id });
  const turn = await client.turns.start({ conversationId: conversation.id, message: 'Hello?' });
  let text = '';
  for await (const event of client.turns.stream(turn.id)) if (event.type === 'text.delta') text += event.text;
  expect(text).toBe('Hello.');
  await expect(client.turns.wait(turn.id, { timeoutMs: 10_000 })).resolves.toMatchObject({
    answer: 'Hello.',
  });
});

it('the browser bundle uploads a file that a browser has read', async () => {
  const route = 'POST /api/knowledge-bases/kb/documents';
  const api = await startScriptedApi({ [route]: answerWith({ document: { id: 'one' } }, 202) });
  const client = createClient({ baseUrl: api.baseUrl, apiKey: api.apiKey });
  await client.knowledgeBases.documents.create('kb', { file: new File(['# Leave'], 'handbook.md') });
  expect(api.to(route)[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
});
