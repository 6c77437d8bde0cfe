import { pino } from 'pino';
import { expect, test } from 'vitest';
import { toNewToolCalls, toToolCallKey } from '../../../activities/tool/new-tool-call.ts';
import { readToolCallsInText } from '../../../activities/model/text-tool-calls.ts';
import type { AgentVersion } from '../../../src/domain/agent.ts';
import type { ModelAnswer } from '../../../src/domain/model.ts';
import { noRules } from '../../../src/domain/rules.ts';
import type { CallModelInput } from '../../../src/contract/turn-steps.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { noUsage } from '../../labs/turn-rows.ts';

const step = { workspaceId: 'w', turnId: 't', iteration: 1 };

const input: CallModelInput = {
  ...step,
  conversationId: 'c',
  deadlineAt: 0,
  timeoutMs: 1_000,
  tools: 'offered',
};

const agentVersion: AgentVersion = {
  id: 'v',
  agentId: 'a',
  madeBy: null,
  version: 1,
  name: 'Agent',
  model: 'compatible/model',
  instructions: '',
  tools: [],
  limits: {},
  execution: 'inspectable',
  modelConnectionId: null,
  fallbackModels: [],
  modelSettings: {},
  compaction: 'oldest_first',
  compactionThreshold: null,
  summaryModel: null,
  rules: noRules,
  toolCallsInText: null,
  connectors: [],
  skills: [],
  createdAt: '2026-01-01T00:00:00.000Z',
};

const answer: ModelAnswer = {
  text: '',
  reasoning: '',
  toolCalls: [],
  finishReason: 'stop',
  usage: noUsage,
  answeredBy: 'model',
};

test('the idempotency key of a tool call is the same for every attempt', () => {
  expect(toToolCallKey(step, 0)).toBe(toToolCallKey({ ...step }, 0));
  expect(toToolCallKey(step, 0)).toMatch(/^[0-9a-f]{64}$/);
});

test('the idempotency key of a tool call differs by workspace, turn, iteration and index', () => {
  const keys = [
    toToolCallKey(step, 0),
    toToolCallKey(step, 1),
    toToolCallKey({ ...step, iteration: 2 }, 0),
    toToolCallKey({ ...step, turnId: 'u' }, 0),
    toToolCallKey({ ...step, workspaceId: 'v' }, 0),
    toToolCallKey({ ...step, iteration: 11 }, 1),
    toToolCallKey(step, 11),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('a malformed block is stored without any part of a canary token', () => {
  const canary = 'Zebra-7719-Quokka';
  const version = { ...agentVersion, rules: { ...noRules, canaryTokens: [canary] } };
  for (let place = 2020; place < 2050; place += 1) {
    const text = `<tool_use>${'x'.repeat(place)}${canary}</tool_use>`;
    const { toolCalls } = readToolCallsInText({ ...answer, text }, version, pino({ enabled: false }));
    const [call] = toNewToolCalls(toolCalls, { input, version, tools: { effectOf: () => 'unsafe' } });

    expect(call?.refusal).toMatchObject({ code: 'TOOL_BLOCKED' });
    expect(call?.invalidArguments).not.toContain(canary.slice(0, 3));
    expect(call?.invalidArguments?.length).toBeLessThanOrEqual(2048);
  }
});

test('a call with a number that JSON cannot hold is refused, since it would be stored as null', () => {
  const call = {
    name: 'pay',
    modelCallId: 'call_0',
    arguments: { amounts: [1, JSON.parse('1e999') as number] },
  };
  const [stored] = toNewToolCalls([call], {
    input,
    version: agentVersion,
    tools: { effectOf: () => 'unsafe' },
  });
  expect(stored?.refusal).toMatchObject({
    code: 'INVALID_TOOL_ARGUMENTS',
    details: [{ field: 'amounts.1' }],
  });
});

test('a call in text gives the arguments in the field in which its model was shown them, or as they are', () => {
  const schema = { type: 'object', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
  const tool = { ...calculate, id: 'f', name: 'find', schema };
  const version = { ...agentVersion, tools: [tool] };
  for (const input of [{ input: { id: '7' } }, { id: '7' }]) {
    const text = `<tool_call>${JSON.stringify({ name: 'find', arguments: input })}</tool_call>`;
    const { toolCalls } = readToolCallsInText({ ...answer, text }, version, pino({ enabled: false }));
    expect(toolCalls).toMatchObject([{ name: 'find', arguments: { id: '7' } }]);
  }
});
