import { beforeAll, describe, expect, test } from 'vitest';
import type { TurnFigures, TurnGroup } from '../../../../src/domain/analytics.ts';
import { scopes } from '../../../../src/domain/scope.ts';
import { openConversation, plainAgent, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const time = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' };

interface Parts {
  status?: string;
  at?: string;
  durationMs?: number;
  person?: string;
  row?: object;
}

/** A turn of a conversation of its own, which ended so. */
async function play(agentId: string, parts: Parts = {}): Promise<string> {
  const { status = 'completed', at = '2026-03-01T12:00:00.000Z', durationMs = 1000, person, row } = parts;
  const opened = await api.call('POST', '/api/conversations', { body: { agentId } });
  const path = `/api/conversations/${opened.data.conversation.id}/turns`;
  const body = { message: 'Hello', ...(person === undefined ? {} : { actingFor: person }) };
  const { id } = (await api.call('POST', path, { body })).data.turn;
  const settled = status === 'running' ? null : new Date(Date.parse(at) + durationMs);
  const tokens = { input_tokens: 10, cache_read_tokens: 4, output_tokens: 3, reasoning_tokens: 1 };
  await api.database
    .system('turns')
    .where({ id })
    .update({ status, created_at: at, settled_at: settled, ...tokens, credits: 7, ...row });
  return id;
}

async function count(query: Record<string, string>, key = api.key): Promise<TurnFigures[]> {
  const parameters = new URLSearchParams({ ...time, ...query }).toString();
  const { status, data } = await api.call('GET', `/api/analytics/turns?${parameters}`, { key });
  expect(status).toBe(200);
  const report = data as unknown as { from: string; to: string; turns: TurnFigures[] };
  expect([report.from, report.to]).toEqual([time.from, time.to]);
  return report.turns;
}

async function createAgent(name: string): Promise<string> {
  return (await api.call('POST', '/api/agents', { body: { ...plainAgent, name } })).data.agent.id;
}

describe('figures of turns', () => {
  test('have outcomes, durations, tokens and cost of a group', async () => {
    const agentId = await createAgent('One');
    const durations = [1000, 2000, 3000];
    for (const durationMs of durations) await play(agentId, { durationMs });
    await play(agentId, { status: 'failed', durationMs: 4000 });
    await play(agentId, { status: 'iteration_limit', durationMs: 5000 });
    await play(agentId, { status: 'steered', durationMs: 900_000 });
    await play(agentId, { status: 'running' });
    expect(await count({ agentId })).toEqual([
      {
        ...{ day: '2026-03-01', agentId: null, person: null, outcome: null, turns: 7 },
        ...{ completed: 3, failed: 1, cancelled: 0, timedOut: 0, iterationLimit: 1, steered: 1, open: 1 },
        ...{ p50DurationMs: 3000, p95DurationMs: 4800 },
        ...{
          inputTokens: 70,
          cacheReadTokens: 28,
          cacheWriteTokens: 0,
          outputTokens: 21,
          reasoningTokens: 7,
        },
        credits: '49',
      },
    ]);
  });

  test('are grouped by day, agent, person and outcome, as asked', async () => {
    const [one, two] = [await createAgent('One'), await createAgent('Two')];
    await play(one, { person: 'Ada', at: '2026-03-01T23:59:59.000Z' });
    await play(one, { person: 'ADA ', at: '2026-03-02T00:00:01.000Z', status: 'failed' });
    await play(two, { at: '2026-03-02T00:00:01.000Z', status: 'running' });
    const group = async (groupBy: TurnGroup[]) => {
      const fields = groupBy.map((name) => (name === 'agent' ? 'agentId' : name));
      const found = [...(await count({ groupBy: groupBy.join(), agentId: one }))];
      found.push(...(await count({ groupBy: groupBy.join(), agentId: two })));
      return found.map((figures) => [...fields.map((field) => figures[field]), figures.turns]);
    };
    expect(await group(['person'])).toEqual([
      ['ada', 2],
      [null, 1],
    ]);
    expect(await group(['agent', 'day', 'outcome'])).toEqual([
      [one, '2026-03-02', 'failed', 1],
      [one, '2026-03-01', 'completed', 1],
      [two, '2026-03-02', 'open', 1],
    ]);
    expect(await count({ person: ' Ada', groupBy: 'person' })).toMatchObject([{ person: 'ada', turns: 2 }]);
  });

  test('are those of the time that is asked for, without imported turns and copies', async () => {
    const agentId = await createAgent('One');
    await play(agentId, { at: '2026-02-28T23:59:59.999Z' });
    await play(agentId, { at: time.to });
    await play(agentId, { row: { imported_at: new Date() } });
    await play(agentId, { at: time.from });
    expect(await count({ agentId })).toMatchObject([{ turns: 1 }]);
  });

  test('of a person are those of the conversations that this person sees, and none are of another workspace', async () => {
    const agentId = await createAgent('One');
    await play(agentId, { person: 'Bob' });
    await play(agentId, { person: 'Eve' });
    await play(agentId);
    const key = await api.createKey(api.workspaceId, ['analytics:read'], { actsFor: 'Bob' });
    expect(await count({ agentId, groupBy: 'person' }, key)).toMatchObject([{ person: 'bob', turns: 1 }]);
    expect(await count({ agentId }, (await api.createWorkspace()).key)).toEqual([]);
  });
});

test('the figures of turns need their right, and an order of times', async () => {
  const key = await api.createKey(
    api.workspaceId,
    scopes.filter((scope) => scope !== 'analytics:read'),
  );
  const refused = await api.call('GET', '/api/analytics/turns', { key });
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
  for (const query of ['groupBy=model', `from=${time.to}&to=${time.from}`, 'limit=0', 'agentId=1'])
    expect((await api.call('GET', `/api/analytics/turns?${query}`)).error.code).toBe('INVALID_INPUT');
});

test('without times the turns of the last 30 days are counted, those that run among them', async () => {
  const { agentId, conversationId } = await openConversation(api);
  await startTurn(api, conversationId);
  const { data } = await api.call('GET', `/api/analytics/turns?agentId=${agentId}&groupBy=agent`);
  expect(data.turns).toMatchObject([{ agentId, turns: 1, open: 1, p50DurationMs: null, credits: '0' }]);
});
