import { expect, test } from 'vitest';
import { listNeededInputs, orderChoices } from '../../../activities/model/order-choices.ts';
import type { ModelMessage } from '../../../src/domain/model.ts';

const [text, seeing, hearing] = ['compatible/text', 'openai/gpt-5', 'google/gemini-2.5-flash'].map(
  (model) => ({
    model,
    connectionId: null,
  }),
);
const choices = [text, seeing, hearing].flatMap((choice) => choice ?? []);

function order(needed: Parameters<typeof orderChoices>[1]['needed'], takes?: 'image'[]) {
  const ordered = orderChoices(choices, { needed, takes });
  return {
    models: ordered.choices.map(({ model }) => model),
    unfit: ordered.unfit.map(({ model, error }) => [model, error.code]),
  };
}

test('without files the models keep their order', () => {
  expect(order([])).toEqual({ models: choices.map(({ model }) => model), unfit: [] });
});

test('the first model that takes all files comes first, and those before it are passed over', () => {
  expect(order(['image'])).toEqual({
    models: ['openai/gpt-5', 'compatible/text', 'google/gemini-2.5-flash'],
    unfit: [['compatible/text', 'MODEL_INPUT_NOT_TAKEN']],
  });
  expect(order(['image', 'audio'])).toEqual({
    models: ['google/gemini-2.5-flash', 'compatible/text', 'openai/gpt-5'],
    unfit: [
      ['compatible/text', 'MODEL_INPUT_NOT_TAKEN'],
      ['openai/gpt-5', 'MODEL_INPUT_NOT_TAKEN'],
    ],
  });
});

test('a model of which the agent says that it takes images stays the first one', () => {
  expect(order(['image'], ['image']).unfit).toEqual([]);
});

test('when no model takes a file, the first one gets its text or a note', () => {
  const none = choices.slice(0, 1).concat({ model: 'compatible/other', connectionId: null });
  expect(orderChoices(none, { needed: ['image'], takes: undefined })).toEqual({ choices: none, unfit: [] });
});

test('the needed inputs are those of files in messages and in tool results', () => {
  const file = (mediaType: string) => ({
    id: mediaType,
    name: null,
    mediaType,
    size: 1,
    pages: null,
    width: null,
    height: null,
  });
  const messages: ModelMessage[] = [
    {
      role: 'user',
      text: '',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'file', file: file('application/pdf'), from: 'file' },
        { type: 'file', file: file('text/csv'), from: 'file' },
        { type: 'file', file: null, from: 'image' },
      ],
    },
    { role: 'assistant', text: '', toolCalls: [] },
    {
      ...{ role: 'tool', modelCallId: 'a', name: 'a', text: '', isError: false },
      parts: [{ type: 'file', file: file('image/png'), from: 'result' }],
    },
  ];
  expect(listNeededInputs(messages)).toEqual(['document', 'image']);
});
