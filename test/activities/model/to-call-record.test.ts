import { expect, test } from 'vitest';
import { toCallRecord } from '../../../activities/model/to-call-record.ts';
import type { AgentVersion } from '../../../src/domain/agent.ts';
import type { ModelCall } from '../../../src/domain/model.ts';
import type { Tool } from '../../../src/domain/tool.ts';

function toTool(name: string, enabled = true): Tool {
  const config = { functionName: 'calculate' };
  return { id: name, type: 'function', name, description: name, schema: {}, config, settings: { enabled } };
}

const version = { tools: [toTool('add'), toTool('mail'), toTool('old', false)] } as unknown as AgentVersion;

function toCall(names: string[], more: Partial<ModelCall> = {}): ModelCall {
  return {
    model: 'demo',
    instructions: '',
    messages: [],
    tools: names.map((name) => ({ name, description: name, schema: {} })),
    idempotencyKey: 'key',
    signal: new AbortController().signal,
    onTextDelta: () => undefined,
    ...more,
  };
}

test('the record of a usual call says that nothing deviates', () => {
  expect(toCallRecord(toCall(['add', 'mail']), { version, firstOrdinal: 1 })).toEqual({
    toolChoice: 'auto',
    leftOut: null,
    sampling: null,
    contextFrom: null,
  });
});

test('the record names tools that were left out, sampling, and where the context begins', () => {
  const call = toCall(['add'], { toolChoice: 'none', temperature: 0, maxOutputTokens: 10 });
  expect(toCallRecord(call, { version, firstOrdinal: 7 })).toEqual({
    toolChoice: 'none',
    leftOut: ['mail'],
    sampling: { maxOutputTokens: 10, temperature: 0 },
    contextFrom: 7,
  });
});
