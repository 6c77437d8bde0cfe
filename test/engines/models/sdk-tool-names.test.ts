import { expect, test } from 'vitest';
import type { ModelMessage, ModelTool } from '../../../src/domain/model.ts';
import { createSdkToolNames } from '../../../src/engines/models/sdk-tool-names.ts';

function namesOf(names: string[], messages: ModelMessage[] = []) {
  const tools = names.map((name): ModelTool => ({ name, description: '', schema: {} }));
  return createSdkToolNames({ tools, messages });
}

const vendorName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const long = `${'a'.repeat(50)}.${'b'.repeat(49)}`;

test('a tool name that every vendor accepts is not changed', () => {
  const { toSdkName, fromSdkName } = namesOf(['get_weather', 'get-sum']);
  expect(toSdkName('get_weather')).toBe('get_weather');
  expect(fromSdkName('get-sum')).toBe('get-sum');
});

test.each(['files.read', 'kr-legal:search', 'a/b', '7zip', '-x', long])(
  'the tool name %s is replaced, and calls of the replacement are mapped back',
  (name) => {
    const { toSdkName, fromSdkName } = namesOf([name]);
    expect(toSdkName(name)).toMatch(vendorName);
    expect(toSdkName(name)).not.toBe(name);
    expect(fromSdkName(toSdkName(name))).toBe(name);
  },
);

test('a replaced name keeps a readable beginning and does not depend on the other tools', () => {
  expect(namesOf(['kr-legal:search']).toSdkName('kr-legal:search')).toMatch(/^kr-legal_search_[0-9a-f]{8}$/);
  const [alone, among] = [namesOf([long]), namesOf(['x', 'a.b', long])];
  expect(alone.toSdkName(long)).toBe(among.toSdkName(long));
});

test('names that differ only in characters that vendors refuse get different replacements', () => {
  const { toSdkName } = namesOf(['a.b', 'a:b', 'a/b', 'a_b']);
  const given = ['a.b', 'a:b', 'a/b', 'a_b'].map(toSdkName);
  expect(new Set(given).size).toBe(4);
});

test('a replaced name is never the name of another tool', () => {
  const taken = namesOf(['a.b']).toSdkName('a.b');
  const { toSdkName, fromSdkName } = namesOf(['a.b', taken]);
  expect(toSdkName('a.b')).not.toBe(taken);
  expect(fromSdkName(taken)).toBe(taken);
  expect(fromSdkName(toSdkName('a.b'))).toBe('a.b');
});

test('the tools of the history are mapped, and names that the model invented are not changed', () => {
  const toolCalls = [{ modelCallId: 'a', name: 'old.tool', arguments: {} }];
  const { toSdkName, fromSdkName } = namesOf([], [{ role: 'assistant', text: '', toolCalls }]);
  expect(fromSdkName(toSdkName('old.tool'))).toBe('old.tool');
  expect(fromSdkName('made.up')).toBe('made.up');
});
