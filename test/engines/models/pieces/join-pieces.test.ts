import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HoldfastError } from '../../../../src/domain/errors.ts';
import { createLanguageModelCaller } from '../../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall, weatherTool } from '../../../fixtures/model-call.ts';
import { createRandom } from '../../../labs/random.ts';
import { startHttpServer } from '../../../servers/http-server.ts';
import { chatScript, messagesScript, responsesScript, type StreamScript } from './stream-scripts.ts';

/** The parts in which the server writes its next answer, and the type that it names. */
let answer: { parts: Buffer[]; type: string };
let server: Awaited<ReturnType<typeof startHttpServer>>;

beforeAll(async () => {
  server = await startHttpServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': answer.type });
    for (const part of answer.parts) {
      response.write(part);
      await setImmediate();
    }
    response.end();
  });
});

afterAll(() => server.close());

/** The AI SDK reads each event itself when the server does not say that it sends events. */
const ways = { joined: 'text/event-stream; charset=utf-8', one: 'text/plain' };

async function read(model: string, way: keyof typeof ways, parts: Buffer[]) {
  answer = { parts, type: ways[way] };
  const baseUrl = `${server.url}/v1`;
  // Text is held back while it may be the beginning of a key.
  const apiKey = model.startsWith('compatible/') ? undefined : `key-${crypto.randomUUID()}`;
  const callModel = createLanguageModelCaller({ [model.split('/')[0] ?? '']: { apiKey, baseUrl } });
  const { call, deltas } = createModelCall({ model, tools: [weatherTool] });
  let progress = 0;
  call.onProgress = () => (progress += 1);
  const result = await callModel(call).catch((error: unknown) => {
    if (!(error instanceof HoldfastError)) throw error;
    return { code: error.code, message: error.message };
  });
  return { result, shown: deltas.join(''), deltas, progress };
}

function toBytes(lines: string[], lineEnd: string): Buffer {
  return Buffer.from(lines.map((line) => `data: ${line}${lineEnd}${lineEnd}`).join(''));
}

/** Cuts bytes anywhere, in the middle of characters too. */
function cut(bytes: Buffer, random: (below: number) => number): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + random(400);
    parts.push(bytes.subarray(start, end));
    start = end;
  }
  return parts;
}

test.each<[string, string, StreamScript]>([
  ['Chat Completions', 'compatible/any', chatScript],
  ['the Responses API', 'openai/gpt-5', responsesScript],
  ['the Messages API', 'anthropic/claude-sonnet-4-5', messagesScript],
])(
  '150 streams of %s, cut anywhere, give the same answer joined and one by one',
  async (_, model, script) => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= 150; seed += 1) {
      const random = createRandom(seed);
      const lines = script(random);
      const parts = cut(toBytes(lines, random(4) === 0 ? '\r\n' : '\n'), random);
      const alone = await read(model, 'one', parts);
      const joined = await read(model, 'joined', parts);
      const what = `seed ${seed}:\n${lines.join('\n')}`;
      expect(joined.result, what).toEqual(alone.result);
      expect(joined.shown, what).toBe(alone.shown);
      expect(joined.progress, what).toBeGreaterThan(0);
      outcomes.add('code' in joined.result ? joined.result.code : joined.result.finishReason);
    }
    // Streams of each kind were among them.
    expect([...outcomes]).toEqual(expect.arrayContaining(['stop', 'tool_calls']));
    expect([...outcomes].some((outcome) => outcome.startsWith('MODEL_'))).toBe(true);
  },
);

test('a piece is shown before the next one is sent, and all of them are one event for the AI SDK', async () => {
  const toLine = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
  const texts = Array.from({ length: 300 }, (_, index) => `${index} `);
  const end = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  const parts = [...texts.map((text) => toBytes([toLine(text)], '\n')), toBytes([end, '[DONE]'], '\n')];
  const { result, deltas } = await read('compatible/any', 'joined', parts);
  expect(result).toMatchObject({ text: texts.join(''), finishReason: 'stop' });
  expect(deltas).toEqual(texts);
});

test('a text of more than the limit of an answer is refused', async () => {
  const content = 'x'.repeat(100_000);
  const lines = Array.from({ length: 90 }, () =>
    JSON.stringify({ choices: [{ index: 0, delta: { content } }] }),
  );
  const { result } = await read('compatible/any', 'joined', [toBytes(lines, '\n')]);
  expect(result).toMatchObject({ code: 'MODEL_BAD_RESPONSE' });
});
