import { describe, expect, it } from 'vitest';
import {
  findCancelledMessageProblems,
  findMessageProblems,
  type SentMessage,
} from '../../../bench/faults/messages.ts';
import { createPromptRecord, findPromptProblem } from '../../../bench/faults/prompts.ts';
import type { TurnStatus } from '../../../src/domain/turn-status.ts';

const sent: SentMessage[] = [
  { text: 'one', onBusy: 'steer' },
  { text: 'two', onBusy: 'enqueue' },
  { text: 'three', onBusy: 'steer' },
];

const stored = sent.map(({ text }) => ({ text, status: 'completed' as const }));

describe('findMessageProblems', () => {
  it('finds nothing wrong with messages in order, nor with one that steers past one that waits', () => {
    expect(findMessageProblems({ sent, stored, prompted: ['one', 'two', 'three'] })).toEqual([]);
    expect(findMessageProblems({ sent, stored, prompted: ['one', 'three', 'two'] })).toEqual([]);
  });

  it('finds messages out of order', () => {
    expect(findMessageProblems({ sent, stored, prompted: ['two', 'one', 'three'] })).toEqual([
      'two stands before one',
    ]);
  });

  it('finds messages that are missing, doubled, or that nobody sent', () => {
    expect(findMessageProblems({ sent, stored, prompted: ['one', 'two', 'two', 'four'] })).toEqual([
      'two was seen 2 times by the model',
      'three was seen 0 times by the model',
      '"four" was never accepted',
    ]);
  });

  it('finds messages of no turn, of two, and of one that did not answer', () => {
    const [one, ...rest] = stored;
    const unanswered = [{ text: 'one', status: 'steered' as const }, ...rest, ...rest.slice(1)];
    const prompted = ['one', 'two', 'three'];
    expect(findMessageProblems({ sent, stored: [...(one ? [one] : [])], prompted })).toEqual([
      'two belongs to 0 turns ()',
      'three belongs to 0 turns ()',
    ]);
    expect(findMessageProblems({ sent, stored: unanswered, prompted })).toEqual([
      'one belongs to 1 turns (steered)',
      'three belongs to 2 turns (completed,completed)',
    ]);
  });
});

describe('findCancelledMessageProblems', () => {
  const find = (status: TurnStatus, seen: number) =>
    findCancelledMessageProblems(['one'], [{ text: 'one', status }], () => seen);

  it('accepts messages that a model has seen, and others whose turns say that they ended before', () => {
    expect(
      [find('completed', 1), find('steered', 1), find('cancelled', 0), find('cancelled', 1)].flat(),
    ).toEqual([]);
  });

  it('finds messages that no model has seen, that a prompt has twice, and that failed', () => {
    expect(find('steered', 0)).toEqual(['one is steered, and no model has seen it']);
    expect(find('cancelled', 2)).toEqual(['one stands 2 times in a prompt']);
    expect(find('failed', 1)).toEqual(['one has failed']);
  });

  it('finds messages of no turn', () => {
    expect(findCancelledMessageProblems(['one'], [], () => 1)).toEqual(['one belongs to 0 turns ()']);
  });
});

const user = (content: string) => ({ role: 'user', content });
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id })),
});
const result = (id: string) => ({ role: 'tool', content: 'done', tool_call_id: id });

describe('findPromptProblem', () => {
  it('accepts calls of one id in different answers, each followed by its results', () => {
    const round = [user('Go.'), calls('a', 'b'), result('b'), result('a')];
    expect(findPromptProblem([...round, user('Also.'), ...round])).toBeNull();
  });

  it('finds a message between calls and their results', () => {
    expect(findPromptProblem([user('Go.'), calls('a', 'b'), result('a'), user('Also.'), result('b')])).toBe(
      '"Also." of the user stands before the result of b',
    );
  });

  it('finds results that are missing or that nobody asked for', () => {
    expect(findPromptProblem([user('Go.'), calls('a')])).toBe('no result of a');
    expect(findPromptProblem([user('Go.'), calls('a'), result('a'), result('a')])).toBe(
      'a result of a, which no answer asked for or which has one',
    );
  });
});

describe('createPromptRecord', () => {
  it('keeps the longest prompt of each conversation, and what was wrong with any', () => {
    const record = createPromptRecord();
    record.add([user('Go.'), calls('a'), user('Also.')]);
    record.add([user('Go.')]);
    record.add([user('Another.')]);

    expect(record.textsFrom('Go.')).toEqual(['Go.', 'Also.']);
    expect(record.problemsFrom('Go.')).toEqual(['"Also." of the user stands before the result of a']);
    expect(record.problemsFrom('Another.')).toEqual([]);
    expect(['Go.', 'Also.', 'Never.'].map(record.mostOf)).toEqual([1, 1, 0]);
  });

  it('counts messages that a compatible server gets as one', () => {
    const record = createPromptRecord();
    const note = '[A note of the system that runs you: no answer.]';
    record.add([user('Go.'), calls('a'), result('a'), user(`${note}\n\nAlso.\n\nAnd this.`)]);
    expect(record.textsFrom('Go.')).toEqual(['Go.', 'Also.', 'And this.']);
  });
});
