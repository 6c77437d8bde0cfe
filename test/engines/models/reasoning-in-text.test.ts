import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createReasoningInText } from '../../../src/engines/models/reasoning-in-text.ts';
import type { ModelCall } from '../../../src/domain/model.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';
import { startScriptedModel, type ScriptedModel } from '../../servers/scripted-model.ts';

function read(pieces: readonly string[], { isOpen = false, isWhole = true } = {}) {
  const reader = createReasoningInText(isOpen);
  const shown = pieces.map(reader.push);
  const rest = reader.end(isWhole);
  return { text: shown.join('') + rest, reasoning: reader.getReasoning() };
}

interface Case {
  written: string;
  isOpen?: boolean;
  text: string;
  reasoning?: string;
}

const cases: Case[] = [
  { written: '<think>\nHm. 1 < 2.\n</think>\n\nHello.', text: 'Hello.', reasoning: 'Hm. 1 < 2.' },
  { written: ' \n<think></think>\n\nHello.', text: 'Hello.' },
  { written: 'Hello. <think>no</think> Bye.', text: 'Hello. <think>no</think> Bye.' },
  { written: '<think>a</think>Use <think> and </think>.', text: 'Use <think> and </think>.', reasoning: 'a' },
  { written: '<thinking>', text: '<thinking>' },
  { written: '<thi', text: '<thi' },
  { written: '<think>cut </thi', text: '', reasoning: 'cut </thi' },
  { written: 'Hm.</think>Hello.', isOpen: true, text: 'Hello.', reasoning: 'Hm.' },
  { written: '<think>Hm.</think> Hello.', isOpen: true, text: 'Hello.', reasoning: 'Hm.' },
  { written: 'Hello.', isOpen: true, text: 'Hello.' },
  { written: '', text: '' },
];

test.each(cases)(
  '$written is read the same however it is cut',
  ({ written, isOpen = false, text, reasoning = '' }) => {
    for (let first = 0; first <= written.length; first += 1) {
      for (let second = first; second <= written.length; second += 1) {
        const pieces = [written.slice(0, first), written.slice(first, second), written.slice(second)];
        expect(read(pieces, { isOpen })).toEqual({ text, reasoning });
      }
    }
  },
);

test('an answer that was cut off inside of its reasoning has no text', () => {
  expect(read(['Hm. And'], { isOpen: true, isWhole: false })).toEqual({ text: '', reasoning: 'Hm. And' });
});

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

async function ask(more: Partial<ModelCall> & { model: string }) {
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl } });
  const { call, deltas } = createModelCall(more);
  return { answer: await callModel(call), deltas };
}

test.each(['compatible/Qwen/Qwen3-32B', 'compatible/deepseek-r1:8b', 'compatible/qwq'])(
  '%s: reasoning in tags is reasoning, which no reader of the text sees',
  async (model) => {
    const toolCalls = [{ name: 'get_weather', arguments: { city: 'Rome' } }];
    scripted.reply({ text: '<think> I look it up. </think> \n\n I look it up.', toolCalls });
    const { answer, deltas } = await ask({ model, tools: [weatherTool] });
    expect(answer).toMatchObject({
      text: 'I look it up.',
      reasoning: 'I look it up.',
      finishReason: 'tool_calls',
    });
    expect(deltas.join('')).toBe('I look it up.');
    // The model does not get its reasoning back.
    expect(answer.providerContent).toBeUndefined();
  },
);

test('a model that is not known to write reasoning keeps its tags, unless its setting says otherwise', async () => {
  const text = '<think> Hm. </think> Yes.';
  scripted.reply({ text }, { text }, { text: 'Hm. </think> Yes.' }, { text });
  expect((await ask({ model: 'compatible/llama' })).answer).toMatchObject({ text, reasoning: '' });
  const tagged = await ask({ model: 'compatible/llama', reasoningInText: 'tagged' });
  expect(tagged.answer).toMatchObject({ text: 'Yes.', reasoning: 'Hm.' });
  const open = await ask({ model: 'compatible/qwq', reasoningInText: 'open' });
  expect(open).toMatchObject({ answer: { text: 'Yes.', reasoning: 'Hm.' }, deltas: ['Yes.'] });
  expect((await ask({ model: 'compatible/qwq', reasoningInText: 'off' })).answer).toMatchObject({ text });
});

test('a structured answer behind reasoning is read', async () => {
  scripted.reply({ text: '<think> {"a": 1} </think> {"b": 2}' });
  const responseSchema = { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] };
  expect((await ask({ model: 'compatible/qwen3', responseSchema })).answer).toMatchObject({
    text: '{"b": 2}',
  });
});
