import { expect, test } from 'vitest';
import { checkModelName, findModelWarning, parseModelName } from '../../../src/engines/models/model-name.ts';

test('the text after the first slash of a model name is the id of the model', () => {
  expect(parseModelName('compatible/meta-llama/Llama-3')).toEqual({
    vendor: 'compatible',
    modelId: 'meta-llama/Llama-3',
  });
});

test.each(['demo', 'openai/gpt-5', 'anthropic/claude-x', 'google/gemini-x', 'openai/ft:gpt-5:acme::1'])(
  'the model name %s is valid without any key',
  (name) => {
    expect(checkModelName({}, name)).toBeNull();
  },
);

test.each(['gpt-5', 'acme/gpt-5', 'constructor/x', '', 'demo/x', '/x'])(
  'the model name %j is refused with the names of the vendors',
  (name) => {
    expect(checkModelName({}, name)).toMatch(/^Expected a model named openai\/…, .* or demo, found/);
  },
);

test.each(['openai/', 'openai/a b', 'google/../files', 'google/..', `openai/${'x'.repeat(201)}`])(
  'the id in the model name %j is refused',
  (name) => {
    expect(checkModelName({}, name)).toMatch(/^Expected the name of a model after/);
  },
);

test('a compatible model requires the address of its server', () => {
  expect(checkModelName({}, 'compatible/llama')).toContain('set HOLDFAST_COMPATIBLE_BASE_URL');
  expect(checkModelName({ compatible: { baseUrl: 'nowhere' } }, 'compatible/llama')).toContain(
    'is not a URL',
  );
  expect(checkModelName({ compatible: { baseUrl: 'http://127.0.0.1:1/v1' } }, 'compatible/llama')).toBeNull();
});

test('a connection may give the address of the server in place of the operator', () => {
  expect(checkModelName({}, 'compatible/llama', { hasConnection: true })).toBeNull();
  expect(checkModelName({}, 'compatible/', { hasConnection: true })).toMatch(/^Expected the name of a model/);
});

test('a model whose vendor needs a key has a warning until there is one', () => {
  expect(findModelWarning({}, 'openai/gpt')).toMatch(/^OPENAI_API_KEY is not set/);
  expect(findModelWarning({ openai: { apiKey: 'sk-1' } }, 'openai/gpt')).toBeNull();
  expect(findModelWarning({}, 'openai/gpt', { hasConnection: true })).toBeNull();
  for (const name of ['demo', 'compatible/llama']) expect(findModelWarning({}, name)).toBeNull();
});
