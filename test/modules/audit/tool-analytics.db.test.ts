import { expect, test } from 'vitest';
import { createToolAnalytics, type AnalyticsRequest } from '../../../src/modules/audit/tool-analytics.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

interface PlayedCall {
  name: string;
  status: 'succeeded' | 'failed' | 'unknown' | 'blocked';
  endedAt: string;
  durationMs?: number;
  target?: string;
}

/** Leaves ended calls in the ledger. */
async function play(place: RowRef, calls: PlayedCall[]): Promise<void> {
  const { turn } = await rows.submit(place);
  const toolCalls = calls.map(({ name }, index) => ({ ...createToolCall(index), name }));
  await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls }));
  for (const [index, { status, endedAt, durationMs = 10, target = null }] of calls.entries()) {
    const startedAt = new Date(Date.parse(endedAt) - durationMs);
    await rows.database.inWorkspace(place.workspaceId, (trx) =>
      trx('tool_calls')
        .where({ id: toolCalls[index]?.id })
        .update({ status, attempts: 1, started_at: startedAt, ended_at: endedAt, target }),
    );
  }
}

function count(place: RowRef, request: Partial<AnalyticsRequest> = {}) {
  return rows.database.inWorkspace(place.workspaceId, (trx) =>
    createToolAnalytics(trx).countToolCalls({
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      groupBy: ['tool'],
      limit: 100,
      ...request,
    }),
  );
}

const noon = '2026-03-01T12:00:00Z';

test('calls are counted by outcome, and blocked calls do not lower the success rate', async () => {
  const place = await rows.createConversation();
  await play(place, [
    { name: 'pay', status: 'succeeded', endedAt: noon },
    { name: 'pay', status: 'failed', endedAt: noon },
    { name: 'pay', status: 'unknown', endedAt: noon },
    { name: 'pay', status: 'succeeded', endedAt: noon },
    { name: 'pay', status: 'blocked', endedAt: noon, durationMs: 5000 },
  ]);
  expect(await count(place)).toEqual([
    {
      tool: 'pay',
      agentId: null,
      day: null,
      calls: 5,
      succeeded: 2,
      failed: 1,
      unknown: 1,
      blocked: 1,
      successRate: 0.5,
      p50DurationMs: 10,
      p95DurationMs: 10,
    },
  ]);
});

test('percentiles are computed over the durations of calls', async () => {
  const place = await rows.createConversation();
  const durations = Array.from({ length: 101 }, (_, index) => index);
  await play(
    place,
    durations.map((durationMs) => ({
      name: 'read',
      status: 'succeeded' as const,
      endedAt: noon,
      durationMs,
    })),
  );
  expect(await count(place)).toMatchObject([{ p50DurationMs: 50, p95DurationMs: 95 }]);
});

test('a call through the gateway counts for the tool that it reached', async () => {
  const place = await rows.createConversation();
  await play(place, [{ name: 'mcp', status: 'succeeded', endedAt: noon, target: 'docs:search' }]);
  expect(await count(place)).toMatchObject([{ tool: 'docs:search', calls: 1 }]);
});

test('calls are grouped by tool, agent and UTC day as requested', async () => {
  const place = await rows.createConversation();
  await play(place, [
    { name: 'read', status: 'succeeded', endedAt: '2026-03-01T23:59:59Z' },
    { name: 'read', status: 'succeeded', endedAt: '2026-03-02T00:00:01Z' },
    { name: 'pay', status: 'succeeded', endedAt: '2026-03-02T00:00:01Z' },
  ]);
  const byDay = await count(place, { groupBy: ['day'] });
  expect(byDay.map(({ day, calls }) => [day, calls])).toEqual([
    ['2026-03-02', 2],
    ['2026-03-01', 1],
  ]);
  const byAll = await count(place, { groupBy: ['tool', 'agent', 'day'] });
  expect(byAll).toHaveLength(3);
  expect(new Set(byAll.map(({ agentId }) => agentId))).toEqual(new Set([place.agentId]));
});

test('only calls of the requested time, agent and tool are counted, and none of another workspace', async () => {
  const place = await rows.createConversation();
  const other = await rows.createConversation();
  await play(place, [
    { name: 'read', status: 'succeeded', endedAt: noon },
    { name: 'pay', status: 'succeeded', endedAt: noon },
  ]);
  await play(other, [{ name: 'read', status: 'succeeded', endedAt: noon }]);
  expect(await count(place, { tool: 'read' })).toMatchObject([{ tool: 'read', calls: 1 }]);
  expect(await count(place, { agentId: newId() })).toEqual([]);
  expect(await count(place, { from: '2026-03-01T12:00:01Z' })).toEqual([]);
  expect(await count(place, { to: noon })).toEqual([]);
});
