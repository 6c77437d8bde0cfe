import { describe, expect, test } from 'vitest';
import { wholeConversation, type CompactionMode, type ContextStart } from '../../src/domain/compaction.ts';
import { toContextBudget, toFullness, type ContextBudget } from '../../src/domain/context-budget.ts';
import { withReferences, type ContextMessage } from '../../src/domain/model-context.ts';
import { leaveOut, planCompaction } from '../../src/domain/plan-compaction.ts';

const place = { firstOrdinal: 1, providerContent: null, toolCalls: null };

function say(turnOrdinal: number, bytes: number): ContextMessage {
  return { ...place, turnOrdinal, iteration: 0, role: 'user', text: 'x'.repeat(bytes) };
}

function callTool(turnOrdinal: number, resultBytes: number): ContextMessage {
  const call = {
    ...{ id: `call-${turnOrdinal}`, modelCallId: 'call_0', name: 'search', arguments: {} },
    ...{ invalidArguments: null, status: 'succeeded' as const, error: null },
    ...{ result: 'r'.repeat(resultBytes), resultBytes },
  };
  return { ...place, turnOrdinal, iteration: 1, role: 'assistant', text: '', toolCalls: [call] };
}

/** Room for 10,000 bytes of messages. */
const room: ContextBudget = {
  threshold: 10_000,
  tokens: 10_000,
  characters: Infinity,
  tokensPerByte: 1,
  fixedBytes: 0,
};

function plan(
  context: ContextMessage[],
  mode: CompactionMode = 'oldest_first',
  start: ContextStart = wholeConversation,
) {
  return planCompaction(context, { mode, room, start });
}

describe('a context', () => {
  test('that fits stays as it is, and so does any other one of an agent that switched compaction off', () => {
    expect(plan([1, 2, 3].map((ordinal) => say(ordinal, 3_000)))).toBeNull();
    const long = [1, 2, 3].map((ordinal) => say(ordinal, 9_000));
    expect(plan(long, 'off')).toBeNull();
    expect(plan(long)).not.toBeNull();
  });

  test('that is too long loses its oldest turns down to half of its room, so that it grows for many turns again', () => {
    const context = Array.from({ length: 11 }, (_, index) => say(index + 1, 950));
    expect(plan(context)).toMatchObject({ throughOrdinal: 6, references: 0 });
    expect(toFullness(leaveOut(context, 6), room)).toBeLessThan(0.5);
  });

  test('keeps the turn before the one that runs where there is room', () => {
    expect(plan([say(1, 4_000), say(2, 6_000), say(3, 3_000)])).toMatchObject({ throughOrdinal: 1 });
    expect(plan([say(1, 4_000), say(2, 6_000), say(3, 5_000)])).toMatchObject({ throughOrdinal: 2 });
  });

  test('consists of the running turn alone when that is too long by itself, and is not compacted again', () => {
    expect(plan([say(1, 10), say(2, 30_000)])).toMatchObject({ throughOrdinal: 1 });
    expect(plan([say(2, 30_000)], 'oldest_first', { ...wholeConversation, throughOrdinal: 1 })).toBeNull();
  });

  test('loses large tool results of old turns first, and no turn when that is enough', () => {
    const context = [callTool(1, 5_000), callTool(2, 4_000), callTool(3, 500), say(4, 1_000)];
    const planned = plan(context);

    expect(planned).toMatchObject({ throughOrdinal: 0, referencesThrough: 2, references: 2 });
    expect(planned?.tokensAfter).toBe(Math.round(toFullness(withReferences(context, 2), room) * 10_000));
  });

  test('keeps the results of the turn before the running one, unless they alone are too large', () => {
    expect(plan([callTool(1, 9_000), callTool(2, 3_000), say(3, 10)])).toMatchObject({
      referencesThrough: 1,
    });
    expect(plan([callTool(1, 9_000), callTool(2, 9_900), say(3, 300)])).toMatchObject({
      referencesThrough: 2,
    });
  });

  test('leaves room for a summary, and does not count the former one', () => {
    const summary: ContextMessage = { ...say(2, 4_000), role: 'summary' };
    const context = [summary, ...Array.from({ length: 8 }, (_, index) => say(index + 3, 950))];
    const start = { ...wholeConversation, throughOrdinal: 2 };

    // 0.15 of the room is for the summary, and three turns of 0.1 fit beside it.
    expect(plan(context, 'summarize', start)).toMatchObject({ throughOrdinal: 7 });
    // The former summary stays, and only the turn before the running one fits beside it.
    expect(plan(context, 'oldest_first', start)).toMatchObject({ throughOrdinal: 8 });
  });
});

describe('the room of a context', () => {
  const version = {
    ...{ model: 'compatible/own', fallbackModels: [], modelSettings: {}, limits: {}, instructions: '' },
    ...{ tools: [], compaction: 'oldest_first' as const, compactionThreshold: null },
  };

  test('of an unknown model is 100,000 tokens and 400,000 characters', () => {
    expect(toContextBudget(version, {})).toMatchObject({ threshold: 100_000, characters: 400_000 });
  });

  test('of a known model follows from what it takes, with a reserve for its answer and for errors of the estimate', () => {
    const known = { ...version, model: 'openai/gpt-4o' };
    expect(toContextBudget(known, {}).threshold).toBe(Math.floor((128_000 - 16_384) * 0.9));
    const short = toContextBudget({ ...known, modelSettings: { maxOutputTokens: 8_000 } }, {});
    expect(short.threshold).toBe(108_000);
    const fallbackModels = [{ model: 'openai/gpt-4o', modelConnectionId: null }];
    expect(toContextBudget({ ...version, model: 'openai/gpt-4.1', fallbackModels }, {}).threshold).toBe(
      100_454,
    );
  });

  test('is that of the agent when it sets a threshold, and its limit of characters holds only when it is set', () => {
    const own = { ...version, compactionThreshold: 5_000 };
    expect(toContextBudget(own, {})).toMatchObject({ threshold: 5_000, characters: Infinity });
    expect(toContextBudget({ ...own, limits: { contextCharacters: 2_000 } }, {}).characters).toBe(2_000);
  });

  test('is smaller by the instructions and tools, but never less than a quarter of the threshold', () => {
    const instructed = { ...version, compactionThreshold: 5_000, instructions: 'x'.repeat(3_984) };
    expect(toContextBudget(instructed, {}).tokens).toBe(4_000);
    expect(toContextBudget({ ...instructed, instructions: 'x'.repeat(50_000) }, {}).tokens).toBe(1_250);
  });
});
