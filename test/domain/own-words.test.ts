import { describe, expect, test } from 'vitest';
import { blockedAnswer, emptyAnswer, splitOwnWords, toEndText } from '../../src/domain/own-words.ts';
import { toModelMessages, type ContextMessage } from '../../src/domain/model-context.ts';
import { toTranscript } from '../../src/modules/turns/context/summary-prompt.ts';
import type { TurnOutcome } from '../../src/domain/turn-status.ts';

const budget = {
  code: 'BUDGET_EXCEEDED',
  message: 'used up',
  details: { personMessage: 'Ask Ann.\n\nOr Bob.' },
} as const;
const ends = [
  { outcome: 'cancelled' },
  { outcome: 'timed_out' },
  { outcome: 'timed_out', error: { code: 'TURN_NOT_STARTED', message: 'no worker' } },
  { outcome: 'failed', error: { code: 'MODEL_UNAVAILABLE', message: 'gone' } },
  { outcome: 'failed', error: { code: 'TOOL_BLOCKED', message: 'A rule\n\nforbids it.' } },
  { outcome: 'failed', error: budget },
  { outcome: 'failed' },
  { outcome: 'iteration_limit' },
] as const;

describe.each(ends)('a turn that ended as %j', (end) => {
  const own = toEndText(end, 120_000);
  const closing = (text: string) => ({ text, isClosing: true, endError: 'error' in end ? end.error : null });

  test.each(['', 'So far so good', 'The turn was right, I said.\n\nThe turn of the tide'])(
    'keeps what the model had said (%j) apart from the text about its end',
    (said) => {
      const text = [said, own].filter((part) => part !== '').join('\n\n');
      expect(splitOwnWords(closing(text))).toEqual({ said, own });
      expect(splitOwnWords({ text })).toEqual({ said: text, own: '' });
    },
  );
});

test('a turn that was cancelled before it began, and a text of an earlier version, are words of Holdfast', () => {
  for (const text of ['The turn was cancelled before it began.', 'It is over.'])
    expect(splitOwnWords({ text, isClosing: true })).toEqual({ said: '', own: text });
});

test('outcomes that an answer has ended have no text', () => {
  for (const outcome of ['completed', 'steered'] satisfies TurnOutcome[])
    expect(toEndText({ outcome }, 1)).toBe('');
});

const message = (more: Partial<ContextMessage>): ContextMessage => ({
  ...{
    turnOrdinal: 1,
    firstOrdinal: 1,
    iteration: 1,
    role: 'assistant',
    text: '',
    providerContent: null,
    toolCalls: null,
  },
  ...more,
});

test.each([emptyAnswer, blockedAnswer])(
  'a model gets %j as a note of the system, and a summary too',
  (text) => {
    expect(toModelMessages([message({ text })])).toEqual([
      { role: 'user', text: expect.stringContaining(text) as string },
    ]);
    expect(toTranscript([message({ text })])).toBe(`System: ${text}`);
  },
);

test('what a model had said comes before the note, in its own name', () => {
  const closing = message({ text: 'Once upon\n\nThe turn was cancelled.', isClosing: true });
  const [said, note, ...more] = toModelMessages([closing]);
  expect(said).toEqual({ role: 'assistant', text: 'Once upon', toolCalls: [] });
  expect(note).toMatchObject({
    role: 'user',
    text: expect.stringContaining('The turn was cancelled.') as string,
  });
  expect(more).toEqual([]);
  expect(toTranscript([closing])).toBe('Agent: Once upon\nSystem: The turn was cancelled.');
});

test('stored content of the vendor stays where an answer has no text', () => {
  const answer = message({ text: emptyAnswer, providerContent: { model: 'm', parts: [] } });
  expect(toModelMessages([answer]).map(({ role }) => role)).toEqual(['assistant', 'user']);
});
