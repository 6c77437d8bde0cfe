import { beforeAll, expect, test } from 'vitest';
import type { NewEvent } from '../../../../src/domain/event.ts';
import { scopes } from '../../../../src/domain/scope.ts';
import { createTurnAnswerRepository } from '../../../../src/modules/turns/turn-answer-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, startTurn, type Api } from '../../../labs/api-lab.ts';
import { compactRows } from '../../../labs/compact-rows.ts';
import { runCli } from '../../../labs/run-cli.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { createAnswer, createToolCall, noUsage } from '../../../labs/turn-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

type Answer = Partial<Parameters<typeof createAnswer>[1]> & object;

async function storeAnswer(turnId: string, parts: Answer, before: NewEvent[] = []): Promise<void> {
  const answer = createAnswer(turnId, parts);
  const stored = await api.database.transact(api.workspaceId, (query) =>
    createTurnAnswerRepository(query).storeAnswer({ ...answer, events: [...before, ...answer.events] }),
  );
  expect(stored).not.toBeNull();
}

async function failAttempt(turnId: string, iteration: number, index: number | null = null): Promise<void> {
  const error = { code: 'MODEL_UNAVAILABLE', message: `Down in ${iteration}.` };
  const attempt = { iteration, index, attempt: 1, error, failedAt: '2026-01-01T00:00:01.000Z' };
  await api.database.transact(api.workspaceId, (query) =>
    createTurnAnswerRepository(query).noteFailedAttempt(turnId, attempt),
  );
}

const list = (turnId: string, key = api.key) => api.call('GET', `/api/turns/${turnId}/model-calls`, { key });

const overloaded = { code: 'MODEL_UNAVAILABLE', message: 'Overloaded.' };

/** A turn that runs: two iterations are answered, the first of them not by the schema of the turn, and the third has failed once. */
async function playTurn(): Promise<{ conversationId: string; turnId: string }> {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  await compactRows(api.database, api.workspaceId, { turnId, iteration: 1 });
  await failAttempt(turnId, 1);
  await failAttempt(turnId, 1, 0);
  const cut = { iteration: 1, model: 'first', usage: { ...noUsage, inputTokens: 9 } };
  const passed = { iteration: 1, model: 'first', next: 'second', error: overloaded };
  const errors = [{ field: 'name', message: 'is missing' }];
  const before: NewEvent[] = [
    { type: 'model.cut_short', payload: cut },
    { type: 'model.passed', payload: passed },
  ];
  const record = { toolChoice: 'none' as const, leftOut: ['mail'], sampling: { temperature: 0.2 } };
  await storeAnswer(
    turnId,
    {
      ...{ model: 'second', answeredBy: 'second-2026', credits: 42n, messageId: newId() },
      refused: { outcome: 'completed', errors },
      record: { ...record, contextFrom: null },
    },
    before,
  );
  await storeAnswer(turnId, {
    ...{ iteration: 2, credits: null, finishReason: 'tool_calls' },
    toolCalls: [createToolCall(0)],
  });
  await failAttempt(turnId, 3);
  return { conversationId, turnId };
}

test('the model calls of a turn that runs have what came before each answer', async () => {
  const { turnId } = await playTurn();
  const { status, data } = await list(turnId);
  expect(status).toBe(200);
  const [first, second, third] = data.modelCalls;
  expect(data.modelCalls).toHaveLength(3);
  expect(first).toEqual({
    ...{ iteration: 1, status: 'rejected', askedModel: 'first', model: 'second', answeredBy: 'second-2026' },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1200, storedAt: expect.any(String) as string },
    ...{ messageId: expect.any(String) as string, finishReason: 'stop', toolChoice: 'none' },
    ...{ sampling: { temperature: 0.2 }, leftOutTools: ['mail'], credits: '42' },
    usage: { ...noUsage, inputTokens: 3, outputTokens: 2 },
    failedAttempts: [
      {
        attempt: 1,
        error: { code: 'MODEL_UNAVAILABLE', message: 'Down in 1.' },
        failedAt: '2026-01-01T00:00:01.000Z',
      },
    ],
    passed: [{ model: 'first', next: 'second', error: overloaded }],
    cutShort: [{ model: 'first', usage: { ...noUsage, inputTokens: 9 } }],
    rejectedFor: [{ field: 'name', message: 'is missing' }],
    compactions: [expect.objectContaining({ turnId, iteration: 1, kind: 'oldest_first', tokensBefore: 100 })],
  });
  expect(second).toMatchObject({
    ...{ iteration: 2, status: 'answered', askedModel: 'demo', model: 'demo', finishReason: 'tool_calls' },
    ...{
      credits: null,
      leftOutTools: [],
      passed: [],
      failedAttempts: [],
      rejectedFor: null,
      compactions: [],
    },
  });
  expect(third).toMatchObject({
    ...{ iteration: 3, status: 'unanswered', askedModel: 'demo', model: null, usage: null, credits: null },
    ...{ startedAt: null, durationMs: null, storedAt: null, failedAttempts: [{ attempt: 1 }] },
  });
});

test('a turn without a model call has an empty list', async () => {
  const { conversationId } = await openConversation(api);
  const { status, data } = await list(await startTurn(api, conversationId));
  expect([status, data.modelCalls]).toEqual([200, []]);
});

test('answers of before the times were stored have none', async () => {
  const { turnId } = await playTurn();
  await api.database
    .system('usage')
    .where({ turn_id: turnId })
    .update({ started_at: null, duration_ms: null });
  expect((await list(turnId)).data.modelCalls[0]).toMatchObject({ startedAt: null, durationMs: null });
});

test('copies in a fork cost nothing, and keep their models and times', async () => {
  const { conversationId, turnId } = await playTurn();
  await storeAnswer(turnId, { iteration: 3, outcome: 'completed' });
  await api.database
    .system('tool_calls')
    .where({ turn_id: turnId })
    .update({ status: 'succeeded', result: 'x' });
  const body = { turnId, iteration: 2, tools: 'recorded' };
  const forked = await api.call('POST', `/api/conversations/${conversationId}/fork`, { body });
  expect(forked.status).toBeLessThan(300);
  const { modelCalls } = (await list(forked.data.turn.id)).data;
  expect(modelCalls).toMatchObject([
    {
      iteration: 1,
      model: 'second',
      durationMs: 1200,
      credits: null,
      usage: noUsage,
      leftOutTools: ['mail'],
    },
    { iteration: 2, model: 'demo', durationMs: 1200, credits: null, usage: noUsage },
  ]);
  expect(modelCalls[0]).toMatchObject({ passed: [{ model: 'first' }], compactions: [{ iteration: 1 }] });
});

test('they are seen by those alone who see the turn', async () => {
  const { conversationId, turnId } = await playTurn();
  await api.database.system('conversations').where({ id: conversationId }).update({ person: 'ann' });
  const ofPerson = (actsFor: string) => api.createKey(api.workspaceId, ['conversations:read'], { actsFor });
  const seen = await list(turnId, await ofPerson('Ann'));
  expect([seen.status, seen.data.modelCalls.length]).toEqual([200, 3]);
  const hidden = [
    await list(turnId, await ofPerson('Bob')),
    await list(turnId, (await api.createWorkspace()).key),
    await list(newId()),
  ];
  expect(hidden.map(({ status, error }) => [status, error.code])).toEqual(
    Array.from({ length: 3 }, () => [404, 'NOT_FOUND']),
  );
  const others = scopes.filter((scope) => scope !== 'conversations:read');
  const refused = await list(turnId, await api.createKey(api.workspaceId, others));
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
  expect((await list('1')).error.code).toBe('INVALID_INPUT');
  await api.database
    .system('turns')
    .where({ id: turnId })
    .update({ status: 'cancelled', settled_at: new Date() });
  expect((await api.call('DELETE', `/api/conversations/${conversationId}`)).status).toBe(200);
  expect((await list(turnId)).status).toBe(404);
});

test('the terminal shows them, with what came before', async () => {
  const { turnId } = await playTurn();
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const { stdout } = await runCli(['turns', 'model-calls', turnId], { environment });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toEqual([
    'iteration 1 · rejected · second · as second-2026 · 1.20 s · 3 tokens in, 2 out · $0.000042 · stop',
    '    the context was shortened (oldest_first), about 50 tokens of 100',
    '    attempt 1 failed: MODEL_UNAVAILABLE Down in 1.',
    '    first did not answer: MODEL_UNAVAILABLE Overloaded.',
    '    a message ended a call of first (9 tokens in, 0 out)',
    '    without the tools mail',
    '    rejected: name is missing',
    'iteration 2 · answered · demo · 1.20 s · 3 tokens in, 2 out · tool_calls',
    'iteration 3 · unanswered · demo',
    '    attempt 1 failed: MODEL_UNAVAILABLE Down in 3.',
  ]);
  const json = await runCli(['turns', 'model-calls', turnId, '--json'], { environment });
  expect(JSON.parse(json.stdout)).toEqual((await list(turnId)).data.modelCalls);
});
