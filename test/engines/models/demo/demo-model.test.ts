import { expect, test } from 'vitest';
import type { ModelMessage, ModelTool } from '../../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall } from '../../../fixtures/model-call.ts';

const callModel = createLanguageModelCaller({});

function createTool(name: string, properties: Record<string, { type: string }>): ModelTool {
  return { name, description: '', schema: { type: 'object', properties } };
}

const tools = [
  createTool('current_time', { timeZone: { type: 'string' } }),
  createTool('calculate', { expression: { type: 'string' } }),
  createTool('everything_echo', { message: { type: 'string' } }),
  createTool('everything_get-sum', { a: { type: 'number' }, b: { type: 'number' } }),
  createTool('files_list_directory', { path: { type: 'string' } }),
  createTool('files_read_file', { path: { type: 'string' }, head: { type: 'number' } }),
  createTool('files_read_text_file', { path: { type: 'string' }, head: { type: 'number' } }),
];

async function ask(text: string, offered = tools) {
  const { call, deltas } = createModelCall({
    model: 'demo',
    messages: [{ role: 'user', text }],
    tools: offered,
  });
  const answer = await callModel(call);
  const calls = answer.toolCalls.map(({ name, arguments: given }) => [name, given]);
  return { answer, calls, deltas };
}

test.each([
  ['What time is it?', 'current_time', {}],
  ["what's the time in Europe/Berlin?", 'current_time', { timeZone: 'Europe/Berlin' }],
  ['What is 12 * (3 + 4)?', 'calculate', { expression: '12 * (3 + 4)' }],
  ['calculate 2.5/5.', 'calculate', { expression: '2.5/5' }],
  ['echo hello world', 'everything_echo', { message: 'hello world' }],
  ['please echo "hi".', 'everything_echo', { message: 'hi' }],
  ['add 2 and 3', 'everything_get-sum', { a: 2, b: 3 }],
  ['the sum of -1 and 4.5', 'everything_get-sum', { a: -1, b: 4.5 }],
  ['List files', 'files_list_directory', { path: '.' }],
  ['list the files in docs/notes', 'files_list_directory', { path: 'docs/notes' }],
  ['read notes.txt', 'files_read_text_file', { path: 'notes.txt' }],
  ['Read the file "docs/notes"', 'files_read_text_file', { path: 'docs/notes' }],
])('the demo model answers %j with a call of %s', async (text, name, given) => {
  expect((await ask(text)).calls).toEqual([[name, given]]);
});

test('the demo model reads only the beginning of a very long message', async () => {
  const { calls } = await ask(`echo hi. ${'('.repeat(500_000)} 1 + 1`);
  expect(calls).toEqual([['everything_echo', { message: 'hi' }]]);
});

test('the demo model calls several tools at once when several rules match', async () => {
  const { answer, calls } = await ask('What time is it, what is 6*7, echo hi and add 2 and 3?');
  expect(calls).toEqual([
    ['current_time', {}],
    ['calculate', { expression: '6*7' }],
    ['everything_echo', { message: 'hi' }],
    ['everything_get-sum', { a: 2, b: 3 }],
  ]);
  expect(answer.finishReason).toBe('tool_calls');
  expect(new Set(answer.toolCalls.map(({ modelCallId }) => modelCallId)).size).toBe(4);
});

test('the demo model takes the names of arguments from the schema of the tool', async () => {
  const offered = [createTool('my_echo', { loud: { type: 'boolean' }, phrase: { type: 'string' } })];
  expect((await ask('echo hi', offered)).calls).toEqual([['my_echo', { phrase: 'hi' }]]);
});

test('the demo model calls no tool that is not offered', async () => {
  const { answer, calls } = await ask('What time is it?', []);
  expect(calls).toEqual([]);
  expect(answer.text).toContain('no tool that I know how to use');
});

test('the demo model calls no tool when tools are not allowed', async () => {
  const messages: ModelMessage[] = [{ role: 'user', text: 'What time is it?' }];
  const { call } = createModelCall({ model: 'demo', messages, tools, toolChoice: 'none' });
  expect(await callModel(call)).toMatchObject({ toolCalls: [], finishReason: 'stop' });
});

test.each(['Hello', 'The meeting of 2026-11-21 is off', 'see docs/1/2'])(
  'the demo model describes itself and gives examples when asked %j',
  async (text) => {
    const { answer, calls, deltas } = await ask(text);
    expect(calls).toEqual([]);
    expect(answer.text).toMatch(/^\[demo model\] I am not a language model/);
    expect(answer.text).toContain('"what is 12 * (3 + 4)"');
    expect(answer.text).toContain('OPENAI_API_KEY');
    expect(deltas.length).toBeGreaterThan(10);
    expect(deltas.join('')).toBe(answer.text);
    expect(answer).toMatchObject({ finishReason: 'stop', answeredBy: 'demo' });
  },
);

test('every example of the demo model makes it call a tool', async () => {
  const { answer } = await ask('Help');
  const examples = [...answer.text.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '');
  const asked = await Promise.all(
    examples.filter((example) => example !== 'slowly').map((example) => ask(example)),
  );
  expect(asked.length).toBe(6);
  expect(asked.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('the demo model quotes the results of its tools', async () => {
  const messages: ModelMessage[] = [
    { role: 'user', text: 'echo hi' },
    { role: 'assistant', text: '', toolCalls: [{ modelCallId: 'a', name: 'echo', arguments: {} }] },
    { role: 'tool', modelCallId: 'a', name: 'echo', text: 'Echo: hi', isError: false },
    { role: 'tool', modelCallId: 'b', name: 'calculate', text: 'no such function', isError: true },
  ];
  const { text, toolCalls } = await callModel(createModelCall({ model: 'demo', messages, tools }).call);
  expect(text).toBe(
    '[demo model] This is what my tools said.\necho answered: Echo: hi\ncalculate failed: no such function',
  );
  expect(toolCalls).toEqual([]);
});

test('the demo model names the parts of a message', async () => {
  const file = (name: string, mediaType: string, pages: number | null) => ({
    ...{ id: name, name, mediaType, size: 68, pages, width: null, height: null },
  });
  const messages: ModelMessage[] = [
    {
      ...{ role: 'user', text: 'Look.' },
      parts: [
        { type: 'text', text: 'Look.' },
        { type: 'file', file: file('cat.png', 'image/png', null), from: 'image' },
        {
          ...{ type: 'file', file: file('offer.pdf', 'application/pdf', 2), from: 'file' },
          shown: { as: 'text', text: 'The offer.' },
        },
        { type: 'file', file: null, from: 'file' },
      ],
    },
  ];
  const { text } = await callModel(createModelCall({ model: 'demo', messages, tools: [] }).call);
  expect(text).toBe(
    '[demo model] I got 4 parts:\n1. a text: Look.\n2. the file "cat.png" (image/png, 68 bytes)\n' +
      '3. the file "offer.pdf" (application/pdf, 2 pages) The offer.\n4. a file that was deleted',
  );
});

test('the demo model gives the same answer and usage every time', async () => {
  const [first, second] = [await ask('add 1 and 2'), await ask('add 1 and 2')];
  expect(first.answer).toEqual(second.answer);
  expect(first.answer.usage.inputTokens).toBe(Math.ceil(('Be brief.'.length + 'add 1 and 2'.length) / 4));
  expect(first.answer.usage.outputTokens).toBeGreaterThan(0);
});

test('the demo model streams twenty words more when asked to be slow, and stops when aborted', async () => {
  const controller = new AbortController();
  const reason = new Error('stop');
  const messages: ModelMessage[] = [{ role: 'user', text: 'Talk slowly for 1 second' }];
  const { call, deltas } = createModelCall({ model: 'demo', messages, signal: controller.signal });
  call.onTextDelta = (text) => {
    deltas.push(text);
    if (text === 'word2 ') controller.abort(reason);
  };
  await expect(callModel(call)).rejects.toBe(reason);
  expect(deltas.at(-1)).toBe('word2 ');
  expect((await ask('Talk slowly for 0.1 s', [])).answer.text).toMatch(/word1 .* word20$/);
});
