import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall } from '../../fixtures/model-call.ts';
import { startScriptedModel, type AnswerEntry, type ScriptedModel } from '../../servers/scripted-model.ts';

const key = `key///${crypto.randomUUID()}`;
let scripted: ScriptedModel;

beforeEach(async () => {
  scripted = await startScriptedModel();
});

afterEach(async () => {
  await scripted.close();
});

async function answerWith(entry: AnswerEntry, apiKey = key) {
  scripted.reply(entry);
  const { call, deltas } = createModelCall({ model: 'compatible/m' });
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl, apiKey } });
  return { answer: await callModel(call), deltas };
}

describe("a model's server that repeats its key", () => {
  test.each([
    ['as it is', key],
    ['URL-encoded', encodeURIComponent(key)],
    ['in hex with spaces', Buffer.from(key).toString('hex').replace(/../g, '$& ').trim()],
    ['in base64 with line breaks', btoa(key).replace(/.{8}(?=.)/g, '$&\n')],
    ['with invisible characters', Array.from(key).join('\u200b')],
  ])('is not quoted %s, neither while it streams nor at the end', async (_form, written) => {
    const { answer, deltas } = await answerWith({ text: `The key is ${written} and that is all.` });
    expect(answer.text).toBe('The key is [redacted] and that is all.');
    expect(deltas.join('')).toBe(answer.text);
  });

  test('is not quoted in its reasoning, nor in names and arguments of tool calls', async () => {
    const { answer } = await answerWith({
      reasoning: `I know ${key}.`,
      toolCalls: [
        { id: `call-${key}`, name: `send-${key}`, arguments: { [key]: [`${key}!`, 1] } },
        { id: 'other', name: 'send', arguments: `{ broken ${JSON.stringify(key)}` },
      ],
    });
    expect(JSON.stringify(answer)).not.toContain(key.slice(4));
    expect(answer).toMatchObject({
      reasoning: 'I know [redacted].',
      toolCalls: [
        {
          modelCallId: 'call-[redacted]',
          name: 'send-[redacted]',
          arguments: { '[redacted]': ['[redacted]!', 1] },
        },
        { name: 'send', arguments: null, invalidArguments: '{ broken "[redacted]"' },
      ],
    });
    expect(answer).not.toHaveProperty('providerContent');
  });
});

test('an answer about keys is kept as it is', async () => {
  const text = 'Set `Authorization: Bearer sk-proj-your-key-goes-here`, or start ollama.';
  const { answer, deltas } = await answerWith({ text }, 'ollama');
  expect(answer.text).toBe(text);
  expect(deltas.join('')).toBe(text);
});
