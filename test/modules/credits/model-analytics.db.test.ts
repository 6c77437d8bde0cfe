import { expect, test } from 'vitest';
import { getModelAnalytics } from '../../../src/modules/credits/usage/get-model-analytics.ts';
import type { ModelFigures, ModelGroup } from '../../../src/domain/analytics.ts';
import type { Usage } from '../../../src/domain/model.ts';
import { forkConversation } from '../../../src/modules/turns/forks/fork-conversation.ts';
import { compactRows } from '../../labs/compact-rows.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, noUsage, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

interface Played {
  model: string;
  usage?: Partial<Usage>;
  credits?: bigint | null;
  /** The time of the call. */
  at?: string;
  /** The models before it that did not answer. */
  passed?: string[];
}

/** A turn with one model call, of which all tokens are known. */
async function play(place: RowRef, { model, usage, credits = 0n, at, passed = [] }: Played): Promise<string> {
  const { turn } = await rows.submit(place);
  const answer = createAnswer(turn.id, {
    ...{ model, credits, outcome: 'completed' },
    usage: { ...noUsage, ...usage },
  });
  const error = { code: 'MODEL_UNAVAILABLE', message: 'Away.' };
  const events = passed.map((one, index) => {
    const next = passed[index + 1] ?? model;
    return { type: 'model.passed' as const, payload: { iteration: 1, model: one, next, error } };
  });
  await rows.storeAnswer(place, { ...answer, events: [...events, ...answer.events] });
  if (at !== undefined) {
    await rows.database.system('credit_entries').where({ source_id: turn.id }).update({ at });
    await rows.database.system('events').where({ turn_id: turn.id }).update({ created_at: at });
  }
  return turn.id;
}

type Asked = Partial<Parameters<typeof getModelAnalytics>[2]>;

async function read(place: RowRef, groupBy: ModelGroup[] = ['model'], asked: Asked = {}) {
  const request = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', limit: 100, ...asked };
  return (await getModelAnalytics(rows, place, { ...request, groupBy })).models;
}

/** The named fields of all groups. */
const pick = (groups: ModelFigures[], ...fields: (keyof ModelFigures)[]) =>
  groups.map((group) => fields.map((field) => group[field]));

test('the hit rate of several turns is that of all their input, in all and by day', async () => {
  const place = await rows.createConversation();
  const [one, two] = ['2026-03-01T23:59:59Z', '2026-03-02T00:00:01Z'];
  await play(place, {
    ...{ model: 'anthropic/large', at: one, credits: 30n },
    usage: { inputTokens: 100, cacheWriteTokens: 900, outputTokens: 20, reasoningTokens: 5 },
  });
  await play(place, {
    ...{ model: 'anthropic/large', at: two, credits: 20n },
    usage: { inputTokens: 50, cacheReadTokens: 900, cacheWriteTokens: 50, outputTokens: 10 },
  });
  await play(place, {
    ...{ model: 'anthropic/large', at: two, credits: null },
    usage: { inputTokens: 100, cacheReadTokens: 900, outputTokens: 10 },
  });

  expect(await read(place)).toEqual([
    {
      model: 'anthropic/large',
      ...{ provider: null, agentId: null, day: null, kind: null },
      ...{ calls: 3, fallbackCalls: 0, passedOver: 0 },
      ...{ inputTokens: 250, cacheReadTokens: 1800, cacheWriteTokens: 950, outputTokens: 40 },
      ...{ reasoningTokens: 5, cacheHitRate: 0.6, estimatedCalls: 0, unpricedCalls: 1, credits: '50' },
    },
  ]);
  expect(pick(await read(place, ['day']), 'day', 'calls', 'cacheHitRate')).toEqual([
    ['2026-03-02', 2, 0.9],
    ['2026-03-01', 1, 0],
  ]);
});

test('a model without input has no hit rate', async () => {
  const place = await rows.createConversation();
  await play(place, { model: 'demo' });
  expect(pick(await read(place), 'calls', 'cacheHitRate')).toEqual([[1, null]]);
});

test('calls of fallbacks, and models that were passed over, are counted for the models that they are of', async () => {
  const place = await rows.createConversation();
  await play(place, { model: 'anthropic/large' });
  await play(place, { model: 'openai/small', passed: ['anthropic/large'] });
  await play(place, { model: 'openai/small', passed: ['anthropic/large', 'google/medium'] });
  const counts = ['calls', 'fallbackCalls', 'passedOver'] as const;
  expect(pick(await read(place), 'model', ...counts)).toEqual([
    ['openai/small', 2, 2, 0],
    ['anthropic/large', 1, 0, 2],
    ['google/medium', 0, 0, 1],
  ]);
  expect(pick(await read(place, ['provider']), 'provider', ...counts)).toEqual([
    ['openai', 2, 2, 0],
    ['anthropic', 1, 0, 2],
    ['google', 0, 0, 1],
  ]);
  expect(pick(await read(place, ['agent', 'kind']), 'agentId', 'kind', ...counts)).toEqual([
    [place.agentId, 'model', 3, 2, 3],
  ]);
  expect(pick(await read(place, ['model'], { model: 'google/medium' }), 'model', ...counts)).toEqual([
    ['google/medium', 0, 0, 1],
  ]);
});

test('a model that answers with another key counts once as a fallback', async () => {
  const place = await rows.createConversation();
  await play(place, { model: 'demo', passed: ['demo', 'demo'] });
  expect(pick(await read(place), 'calls', 'fallbackCalls', 'passedOver')).toEqual([[1, 1, 2]]);
});

test('a call that was reserved before midnight counts for that day with its fallbacks', async () => {
  const place = await rows.createConversation();
  const turnId = await play(place, { model: 'small', at: '2026-03-01T23:59:59Z', passed: ['large'] });
  const stored = { created_at: '2026-03-02T00:00:30Z' };
  await rows.database.system('events').where({ turn_id: turnId }).update(stored);
  const ofDay = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  const figures = pick(
    await read(place, ['day'], ofDay),
    ...(['day', 'calls', 'fallbackCalls', 'passedOver'] as const),
  );
  expect(figures).toEqual([['2026-03-01', 1, 1, 1]]);
  const later = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
  expect(await read(place, ['day'], later)).toEqual([]);
});

test('summaries are calls of a kind of their own, with their tokens', async () => {
  const place = await rows.createConversation();
  await play(place, { model: 'large', usage: { inputTokens: 10 } });
  const { turn } = await rows.submit(place);
  const usage = { ...noUsage, inputTokens: 25, cacheReadTokens: 75 };
  const summary = { messageId: turn.id, text: 'Before.', model: 'small', answeredBy: 'small', usage };
  await compactRows(rows.database, place.workspaceId, {
    ...{ turnId: turn.id, kind: 'summarize', summary: { ...summary, credits: 7n } },
  });
  const fields = ['model', 'kind', 'calls', 'inputTokens', 'cacheHitRate', 'credits'] as const;
  expect(pick(await read(place, ['model', 'kind']), ...fields)).toEqual([
    ['large', 'model', 1, 10, 0, '0'],
    ['small', 'summary', 1, 25, 0.75, '7'],
  ]);
});

test('copies of turns in forks are not counted', async () => {
  const place = await rows.createConversation();
  await play(place, { model: 'small', passed: ['large'], usage: { inputTokens: 10 } });
  const turnId = await play(place, { model: 'large' });
  const before = await read(place);
  const dependencies = { database: rows.database, notifier: { events: () => undefined } };
  const input = { turnId, tools: 'live' as const, run: false };
  await forkConversation(dependencies as never, place, { parentId: place.conversationId, input });
  const events = rows.database.system('events').where({ workspace_id: place.workspaceId });
  expect(await events.where({ type: 'model.passed' })).toHaveLength(2);
  expect(await read(place)).toEqual(before);
});

test('only calls of the requested time and agent are counted, those with the most calls first, and none of another workspace', async () => {
  const place = await rows.createConversation();
  const other = await rows.createConversation({}, place.workspaceId);
  const stranger = await rows.createConversation();
  const at = '2026-03-01T12:00:00Z';
  await play(place, { model: 'small', at, passed: ['large'] });
  await play(other, { model: 'large', at });
  await play(other, { model: 'large', at });
  await play(other, { model: 'large', at: '2026-04-01T12:00:00Z' });
  await play(stranger, { model: 'large', at, passed: ['small'] });

  const march = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
  const counts = ['model', 'calls', 'passedOver'] as const;
  expect(pick(await read(place, ['model'], march), ...counts)).toEqual([
    ['large', 2, 1],
    ['small', 1, 0],
  ]);
  expect(pick(await read(place, ['model'], { ...march, limit: 1 }), ...counts)).toEqual([['large', 2, 1]]);
  expect(pick(await read(place, ['model'], { ...march, agentId: place.agentId }), ...counts)).toEqual([
    ['small', 1, 0],
    ['large', 0, 1],
  ]);
  expect(pick(await read(place, ['model'], { from: at, to: '2026-03-01T12:00:01Z' }), ...counts)).toEqual([
    ['large', 2, 1],
    ['small', 1, 0],
  ]);
  expect(await read(place, ['model'], { from: '2026-03-01T00:00:00Z', to: at })).toEqual([]);
  expect(pick(await read(stranger), ...counts)).toEqual([
    ['large', 1, 0],
    ['small', 0, 1],
  ]);
});
