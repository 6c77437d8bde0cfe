import { expect, test } from 'vitest';
import { toToolResponse } from '../../src/domain/tool-response.ts';

const call = { name: 'pay', status: 'failed' as const, result: null };

test('a call that did its work answers with its text', () => {
  const done = { ...call, status: 'succeeded' as const, result: 'Paid.', error: null };
  expect(toToolResponse(done, '12')).toEqual({
    ...{ isError: false, content: [{ type: 'text', text: 'Paid.' }], creditsUsed: '12', error: null },
  });
});

const ends = [
  ['TOOL_FAILED', 'No money.', 'TOOL_EXECUTION_FAILED', 'No money.'],
  ['TOOL_BLOCKED', 'A rule forbids it.', 'TOOL_EXECUTION_FAILED', 'A rule forbids it.'],
  ['TOOL_TIMED_OUT', 'Too late.', 'TOOL_RUNNER_EXCEPTION', 'Exception for tool "pay": Too late.'],
  [
    'TOOL_RUNNER_EXCEPTION',
    'Exception for tool "pay": broken',
    'TOOL_RUNNER_EXCEPTION',
    'Exception for tool "pay": broken',
  ],
  ['CONVERSATION_STATE_NOT_FOUND', 'No swarm.', 'CONVERSATION_STATE_NOT_FOUND', 'No swarm.'],
] as const;

test.each(ends)('a call with the error %s is told with one of three codes', (...end) => {
  const [code, message, told, text] = end;
  expect(toToolResponse({ ...call, error: { code, message } }, '3')).toEqual({
    ...{ isError: true, content: [{ type: 'text', text }], creditsUsed: '3' },
    error: { code: told, message: text, creditsUsed: '3' },
  });
});

test('a call that has not ended has no response', () => {
  expect(toToolResponse({ ...call, status: 'started', error: null }, '0')).toBeNull();
});
