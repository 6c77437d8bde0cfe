import { expect, test } from 'vitest';
import { getUsage } from '../../../src/modules/credits/usage/get-usage.ts';
import { createToolCallRepository } from '../../../src/modules/turns/calls/tool-call-repository.ts';
import type { UsageGroup } from '../../../src/domain/usage-report.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

const usage = {
  inputTokens: 40,
  cacheReadTokens: 30,
  cacheWriteTokens: 20,
  outputTokens: 10,
  reasoningTokens: 5,
};

interface Played {
  user: string;
  model: string;
  credits: bigint;
  /** The price of a tool call that the answer asks for. */
  toolCredits?: string;
}

/** A turn with one model call, of which all tokens are known. */
async function play(place: RowRef, { user, model, credits, toolCredits }: Played): Promise<string> {
  const { turn } = await rows.submit(place, { onBusy: 'enqueue' });
  const startedBy = JSON.stringify({ apiKeyId: null, actingFor: user });
  const change = { started_by: startedBy, status: 'running' };
  await rows.database.system('turns').where({ id: turn.id }).update(change);
  const toolCall = { ...createToolCall(0), name: 'pay' };
  const toolCalls = toolCredits === undefined ? [] : [toolCall];
  await rows.storeAnswer(place, createAnswer(turn.id, { model, credits, usage, toolCalls }));
  if (toolCredits !== undefined) {
    const event = { type: 'tool.executed', payload: {} } as never;
    const audit = { type: 'tool.executed', payload: {} };
    const end = { id: toolCall.id, status: 'succeeded', result: 'Paid', event, audit } as const;
    await rows.database.pipelined(place.workspaceId, (query) =>
      createToolCallRepository(query).finish({ ...end, creditsUsed: toolCredits }),
    );
  }
  return turn.id;
}

async function playDays() {
  const one = await rows.createConversation();
  const other = await rows.createConversation({}, one.workspaceId);
  const first = await play(one, { user: 'Ada', model: 'small', credits: 100n, toolCredits: '7' });
  await play(other, { user: 'Bob', model: 'large', credits: 1_000n });
  await play(await sameAgent(other), { user: 'Ada', model: 'large', credits: 2_000n });
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
  await rows.database.system('credit_entries').where({ source_id: first }).update({ at: yesterday });
  return { one, other, days: [new Date(), yesterday].map((day) => day.toISOString().slice(0, 10)) };
}

/** Another conversation with the agent of a place. */
async function sameAgent(place: RowRef): Promise<RowRef> {
  const next = await rows.createConversation({}, place.workspaceId);
  const { agentId } = place;
  await rows.database
    .system('conversations')
    .where({ id: next.conversationId })
    .update({ agent_id: agentId });
  return { ...next, agentId };
}

test('the usage is summed up by each field and by several, with calls, tokens and credits', async () => {
  const { one, other, days } = await playDays();
  const read = async (...groupBy: UsageGroup[]) =>
    (await getUsage(rows, one, { groupBy, limit: 10 })).usage.map(({ credits, ...group }) => [
      ...groupBy.map(
        (field) => ({ ...group, agent: group.agentId, conversation: group.conversationId })[field],
      ),
      group.modelCalls,
      group.toolCalls,
      group.inputTokens,
      credits,
    ]);

  expect(await read('agent')).toEqual([
    [other.agentId, 2, 0, 80, '3000'],
    [one.agentId, 1, 1, 40, '107'],
  ]);
  expect(await read('model')).toEqual([
    ['large', 2, 0, 80, '3000'],
    ['small', 1, 0, 40, '100'],
    [null, 0, 1, 0, '7'],
  ]);
  expect((await read('conversation')).slice(1)).toEqual([
    [other.conversationId, 1, 0, 40, '1000'],
    [one.conversationId, 1, 1, 40, '107'],
  ]);
  expect(await read('user')).toEqual([
    ['Ada', 2, 1, 80, '2107'],
    ['Bob', 1, 0, 40, '1000'],
  ]);
  expect(await read('day')).toEqual([
    [days[0], 2, 0, 80, '3000'],
    [days[1], 1, 1, 40, '107'],
  ]);
  expect(await read('kind')).toEqual([
    ['model', 3, 0, 120, '3100'],
    ['tool', 0, 1, 0, '7'],
  ]);
  expect(await read('user', 'model', 'day')).toEqual([
    ['Ada', 'large', days[0], 1, 0, 40, '2000'],
    ['Bob', 'large', days[0], 1, 0, 40, '1000'],
    ['Ada', 'small', days[1], 1, 0, 40, '100'],
    ['Ada', null, days[1], 0, 1, 0, '7'],
  ]);
});

test('the usage of one agent, model, conversation, user and time has all four kinds of tokens', async () => {
  const { one, other } = await playDays();
  const read = async (chosen: object) =>
    (await getUsage(rows, one, { groupBy: ['kind'], limit: 10, ...chosen })).usage.find(
      ({ kind }) => kind === 'model',
    );
  const { reasoningTokens, ...tokens } = usage;
  expect(await read({ agentId: one.agentId })).toMatchObject({ ...tokens, credits: '100' });
  expect(reasoningTokens).toBeLessThan(tokens.outputTokens);
  expect(await read({ model: 'large' })).toMatchObject({
    modelCalls: 2,
    cacheReadTokens: 60,
    cacheHitRate: 60 / (2 * (tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens)),
    credits: '3000',
  });
  expect(await read({ conversationId: other.conversationId })).toMatchObject({ credits: '1000' });
  expect(await read({ user: 'Ada' })).toMatchObject({ modelCalls: 2, credits: '2100' });
  const today = new Date(Date.now() - 60_000).toISOString();
  expect(await read({ from: today })).toMatchObject({ modelCalls: 2, credits: '3000' });
  expect(await read({ to: today })).toMatchObject({ modelCalls: 1, credits: '100' });
  const wrong = getUsage(rows, one, { groupBy: ['kind'], limit: 1, from: today, to: today });
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
