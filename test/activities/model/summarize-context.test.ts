import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { StepDependencies } from '../../../activities/step-dependencies.ts';
import { summarizeContext } from '../../../activities/model/summarize-context.ts';
import type { NewCompaction } from '../../../src/modules/turns/context/compaction-repository.ts';
import { wholeConversation, type ContextStart } from '../../../src/domain/compaction.ts';
import type { ContextMessage } from '../../../src/domain/model-context.ts';
import type { ModelAnswer, ModelCall } from '../../../src/domain/model.ts';
import { noRules } from '../../../src/domain/rules.ts';
import { noUsage } from '../../../src/domain/usage.ts';

const now = Date.UTC(2026, 0, 1);
const input = {
  ...{ workspaceId: 'w', conversationId: 'c', turnId: 't', iteration: 1 },
  ...{ timeoutMs: 30_000, deadlineAt: now + 100_000 },
};

afterEach(() => {
  vi.useRealTimers();
});

function say(turnOrdinal: number, characters: number): ContextMessage {
  const place = { turnOrdinal, firstOrdinal: 1, iteration: 0, providerContent: null, toolCalls: null };
  return { ...place, role: 'user', text: `${turnOrdinal} `.padEnd(characters, '.') };
}

interface Scene {
  context: ContextMessage[];
  compactionThreshold?: number;
  answer: (call: ModelCall) => Partial<ModelAnswer>;
}

/** Summarizes a conversation whose turns and compactions are kept here, and returns what was stored. */
async function run({ context, compactionThreshold = 20_000, answer }: Scene) {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  const stored: NewCompaction[] = [];
  const calls: ModelCall[] = [];
  let start: ContextStart = wholeConversation;
  const repositories = {
    context: {
      findStep: () =>
        Promise.resolve({
          ...{ status: 'running', agentVersionId: 'v', ruleSources: [], tokenRatios: {}, prices: {} },
          ...{ stored: null, cancelRequested: false, budgeted: false, start },
        }),
      listContext: () => Promise.resolve(context.filter((one) => one.turnOrdinal > start.throughOrdinal)),
    },
    steering: { listTaken: () => Promise.resolve([]) },
    compactions: {
      storeCompaction: (compaction: NewCompaction) => {
        stored.push(compaction);
        const summary = compaction.summary?.text ?? start.summary;
        start = { ...start, ...compaction.start, summary, made: start.made + 1 };
        return Promise.resolve(true);
      },
    },
  };
  const version = {
    ...{ model: 'compatible/own', modelConnectionId: null, fallbackModels: [], summaryModel: null },
    ...{ modelSettings: {}, limits: {}, instructions: '', tools: [], connectors: [], rules: noRules },
    ...{ compaction: 'summarize', compactionThreshold },
  };
  const dependencies = {
    pipelined: (_workspaceId: string, ask: (one: typeof repositories) => unknown) => ask(repositories),
    getVersion: () => Promise.resolve(version),
    callLanguageModel: (call: ModelCall) => {
      calls.push(call);
      const said = { text: 'So it was.', reasoning: '', toolCalls: [], finishReason: 'stop', usage: noUsage };
      return Promise.resolve({ ...said, answeredBy: 'own', ...answer(call) });
    },
    modelStates: () => ({ isUnavailable: () => Promise.resolve(false), answered: () => undefined }),
    notifier: { events: () => undefined },
    logger: pino({ level: 'silent' }),
  } as unknown as StepDependencies;
  const result = await summarizeContext(dependencies, {
    input,
    run: { signal: new AbortController().signal },
  });
  return { result, stored, calls };
}

function elapse(ms: number) {
  vi.setSystemTime(Date.now() + ms);
  return {};
}

const conversation = [...Array.from({ length: 20 }, (_, index) => say(index + 1, 20_000)), say(21, 100)];

test('a model of which only the threshold of the agent is known is given no more than that at once', async () => {
  const { stored, calls } = await run({ context: conversation, answer: () => ({}) });
  expect(calls.length).toBeGreaterThan(5);
  for (const { messages } of calls) expect(messages[0]?.text.length).toBeLessThan(20_000 * 4);
  expect(stored.every(({ kind }) => kind === 'summarize')).toBe(true);
});

test('all pieces together take half of the time that is left, and what is too long then is left out', async () => {
  const { result, stored, calls } = await run({
    context: conversation,
    answer: () => elapse(20_000),
  });
  expect(calls).toHaveLength(3);
  expect(result).toMatchObject({ summaries: 3, error: { code: 'MODEL_UNAVAILABLE' } });
  expect(stored.map(({ kind }) => kind)).toEqual([...Array<string>(3).fill('summarize'), 'oldest_first']);
  expect(Date.now()).toBeLessThan(input.deadlineAt);
});

test('late pieces are not made when the context fits by then', async () => {
  const { result, stored } = await run({
    context: [say(1, 40_000), say(2, 30_000), say(3, 20_000), say(4, 100)],
    answer: () => elapse(60_000),
  });
  expect(result).not.toHaveProperty('error');
  expect(stored).toMatchObject([{ kind: 'summarize', start: { throughOrdinal: 1 } }]);
});

test('a refusal is no summary', async () => {
  const refusal = { text: 'I cannot help with that.', finishReason: 'content_filter' } as const;
  const { stored } = await run({ context: conversation, answer: () => refusal });
  expect(stored).toMatchObject([
    { kind: 'oldest_first', summary: null, error: { code: 'MODEL_BAD_RESPONSE' } },
  ]);
});
