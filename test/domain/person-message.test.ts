import { expect, test } from 'vitest';
import { errorCodes, type ErrorCode } from '../../src/domain/errors.ts';
import { toModelMessages, type ContextMessage } from '../../src/domain/model-context.ts';
import { toPersonMessage } from '../../src/domain/person-message.ts';

const internal = 'connect ECONNREFUSED 10.0.0.5:8443';
const writtenHere: ErrorCode[] = ['TOOL_BLOCKED', 'ANSWER_BLOCKED'];

test('no sentence for a person repeats what an error says, but for those that Holdfast wrote for them', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    const sentence = toPersonMessage({ code, message: internal, details: { internal } });
    expect(sentence.includes('10.0.0.5'), code).toBe(writtenHere.includes(code));
    expect(sentence).not.toBe('');
  }
  expect(toPersonMessage(undefined)).toBe('something inside Holdfast broke, or the turn was ended by force.');
});

test('a model is not given what is for operators only', () => {
  const call = {
    id: 'a',
    modelCallId: 'b',
    name: 'tool',
    arguments: {},
    invalidArguments: null,
    status: 'failed',
    result: null,
    resultBytes: null,
  } as const;
  const message: ContextMessage = {
    turnOrdinal: 1,
    firstOrdinal: 1,
    iteration: 1,
    role: 'assistant',
    text: '',
    providerContent: null,
    toolCalls: [
      { ...call, error: { code: 'TOOL_UNREACHABLE', message: 'Not there.', details: { internal } } },
      { ...call, error: { code: 'TOOL_FAILED', message: 'No.', details: { internal, status: 404 } } },
      { ...call, error: { code: 'TOOL_FAILED', message: 'No.', details: [{ field: 'a', message: 'b' }] } },
    ],
  };
  const texts = toModelMessages([message]).flatMap((one) => (one.role === 'tool' ? [one.text] : []));
  expect(texts).toEqual([
    'TOOL_UNREACHABLE: Not there.',
    'TOOL_FAILED: No.\n{"status":404}',
    'TOOL_FAILED: No.\n[{"field":"a","message":"b"}]',
  ]);
});
