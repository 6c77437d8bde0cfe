import { afterAll, beforeAll, expect, test } from 'vitest';
import { executionModes, type Agent } from '../../../../src/domain/agent.ts';
import type { Conversation } from '../../../../src/domain/conversation.ts';
import type { ConversationEvent } from '../../../../src/domain/event.ts';
import type { Turn, TurnDetails } from '../../../../src/domain/turn.ts';
import { add, createForkScene, lookUp, plan, type Fork } from '../../../labs/fork-scene.ts';
import { createReplayedAgent, startReplayLab, type ReplayLab } from '../../../labs/replay-scene.ts';

let scene: ReplayLab;
let forks: ReturnType<typeof createForkScene>;

beforeAll(async () => {
  scene = await startReplayLab();
  forks = createForkScene(scene);
});

afterAll(() => scene.close());

test('a fork from a turn runs another message on the same history with recorded results', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')]), plan([lookUp('b'), add('c')])]);
  const message = JSON.stringify({ rounds: [[add('c'), lookUp('b')]], answer: 'Another way.' });

  const { conversation, turn } = await forks.fork(recorded.conversationId, {
    turnId: recorded.last.id,
    message,
  });

  expect(scene.called).toHaveLength(recorded.called);
  expect(conversation).toMatchObject({
    agentId: agent.id,
    parent: { conversationId: recorded.conversationId, turnId: recorded.last.id, iteration: null },
  });
  expect(turn).toMatchObject({
    ...{ outcome: 'completed', answer: 'Another way.', recordedFrom: recorded.last.id },
    agentVersionId: recorded.last.agentVersionId,
    toolCalls: [
      { name: 'add', status: 'succeeded', answeredBy: 'exact', result: 'add {"item":"c"}', attempts: 0 },
      { name: 'look_up', status: 'succeeded', answeredBy: 'exact', result: 'look_up {"query":"b"}' },
    ],
  });
  const messages = await forks.listMessages(conversation.id);
  expect(messages.map(({ text }) => text)).toEqual([
    ...(await forks.listMessages(recorded.conversationId)).slice(0, 3).map(({ text }) => text),
    message,
    '',
    'Another way.',
  ]);
  const stored = await scene.lab.database.system('webhook_deliveries').count();
  expect(stored).toEqual([{ count: 0 }]);
});

test('a fork has a log of events with numbers and ids of its own', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')]), plan([lookUp('b')])]);

  const { conversation, turn } = await forks.fork(recorded.conversationId, { turnId: recorded.last.id });

  const own = await scene.lab.readEvents(conversation.id);
  const others = await scene.lab.readEvents(recorded.conversationId);
  expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1));
  const ofFirst = (events: ConversationEvent[], id: string | undefined) =>
    events.filter(({ turnId }) => turnId === id).map(({ type }) => type);
  const { turns } = await scene.api.ask<{ turns: Turn[] }>(
    'GET',
    `/api/conversations/${conversation.id}/turns`,
  );
  expect(turns.map(({ id }) => id)).toEqual([turn.id, turns[1]?.id]);
  expect(ofFirst(own, turns[1]?.id)).toEqual(ofFirst(others, recorded.first.id));
  const ids = others.flatMap(({ payload }) => JSON.stringify(payload).match(/[0-9a-f-]{36}/g) ?? []);
  expect(JSON.stringify(own)).not.toMatch(new RegExp(ids.join('|')));
  const copied = await scene.lab.readTurn(turns[1]?.id ?? '');
  expect(copied).toMatchObject({
    ...{ outcome: 'completed', answer: 'Done.', usage: { inputTokens: 0, outputTokens: 0 } },
    ...{ createdAt: recorded.first.createdAt, settledAt: recorded.first.settledAt },
    toolCalls: [{ answeredBy: 'copy', result: 'look_up {"query":"a"}', status: 'succeeded' }],
  });
  expect(turn.usage.inputTokens).toBeGreaterThan(0);
});

for (const execution of executionModes) {
  test(`a live fork of ${execution} execution runs its tools, and nothing of the copy`, async () => {
    const agent = await createReplayedAgent(scene, undefined, execution);
    const recorded = await forks.record(agent, [plan([add('a')]), plan([lookUp('b')])]);
    const message = JSON.stringify(plan([lookUp('other')]));

    const live = { turnId: recorded.last.id, message, tools: 'live' };
    const { conversation, turn } = await forks.fork(recorded.conversationId, live);

    expect(scene.called.slice(recorded.called)).toEqual(['look_up']);
    expect(turn).toMatchObject({
      ...{ outcome: 'completed', recordedFrom: null },
      toolCalls: [{ answeredBy: null, result: 'look_up {"query":"other"}', attempts: 1 }],
    });
    const next = await scene.api.ask<{ turn: TurnDetails }>(
      'POST',
      `/api/conversations/${conversation.id}/turns?wait=true`,
      { message: JSON.stringify(plan([add('later')])) },
    );
    expect(next.turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  });

  test(`a live fork of ${execution} execution goes on from a step with an edited result`, async () => {
    const agent = await createReplayedAgent(scene, undefined, execution);
    const recorded = await forks.record(agent, [plan([lookUp('a'), add('b')], [add('c')], [add('d')])]);
    const [edited] = recorded.last.toolCalls;
    const asked = scene.model.requests.length;

    const { conversation, turn } = await forks.fork(recorded.conversationId, {
      ...{ turnId: recorded.last.id, iteration: 2, tools: 'live' },
      toolResults: [{ toolCallId: edited?.id, result: 'nothing was found' }],
    });

    expect(scene.called.slice(recorded.called)).toEqual(['add']);
    expect(scene.model.requests.length - asked).toBe(2);
    expect(forks.readSeenResults()).toEqual([
      'nothing was found',
      ...['add {"item":"b"}', 'add {"item":"c"}', 'add {"item":"d"}'],
    ]);
    expect(conversation.parent?.iteration).toBe(2);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.', iterations: 4 });
    expect(turn.toolCalls.map(({ answeredBy, result }) => [answeredBy, result])).toEqual([
      ['edited', 'nothing was found'],
      ['copy', 'add {"item":"b"}'],
      ['copy', 'add {"item":"c"}'],
      [null, 'add {"item":"d"}'],
    ]);
    const events = await scene.lab.readEvents(conversation.id);
    const shown = events.find(
      ({ payload }) => 'toolCallId' in payload && payload.toolCallId === turn.toolCalls[0]?.id,
    );
    expect(events.filter(({ type }) => type === 'tool.executed')).toHaveLength(4);
    expect(shown).toMatchObject({ type: 'tool.started' });
    expect(JSON.stringify(events)).toContain('"resultPreview":"nothing was found"');
    expect(JSON.stringify(events)).not.toContain('look_up {');
  });
}

test('a recorded fork goes on from a step without a call of a tool', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')], [lookUp('a')], [add('d')])]);
  const [edited] = recorded.last.toolCalls;

  const { turn } = await forks.fork(recorded.conversationId, {
    ...{ turnId: recorded.last.id, iteration: 1 },
    toolResults: [{ toolCallId: edited?.id, result: '' }],
  });

  expect(scene.called).toHaveLength(recorded.called);
  expect(forks.readSeenResults()).toEqual([
    '[The result is empty.]',
    'look_up {"query":"a"}',
    'add {"item":"d"}',
  ]);
  expect(turn.toolCalls.map(({ answeredBy }) => answeredBy)).toEqual(['edited', 'exact', 'exact']);
});

test('a call without a recorded result ends the turn, and the nearest result is marked', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')])]);
  const message = JSON.stringify(plan([lookUp('something else')], [add('never added')]));

  const { conversation, turn } = await forks.fork(recorded.conversationId, {
    turnId: recorded.last.id,
    message,
  });

  expect(scene.called).toHaveLength(recorded.called);
  expect(turn).toMatchObject({
    ...{ outcome: 'failed', error: { code: 'NOT_FOUND', message: expect.stringContaining('add') as string } },
    toolCalls: [
      { answeredBy: 'nearest', result: 'look_up {"query":"a"}' },
      { answeredBy: 'missed', status: 'failed', result: null },
    ],
  });
  const compared = await forks.compare(conversation.id, recorded.conversationId);
  expect(compared.run.turns[0]).toMatchObject({ outcome: 'missed' });
  expect(compared.comparison).toMatchObject({ passed: false, firstDifference: { kind: 'arguments' } });
});

test('a fork runs another version of the agent', async () => {
  const agent = await createReplayedAgent(scene);
  const briefly = { rounds: [[lookUp('a')]], answer: 'Short.' };
  const recorded = await forks.record(agent, [
    { ...plan([lookUp('a')]), instructed: { 'Be brief.': briefly } },
  ]);
  const changed = await scene.api.ask<{ agent: Agent }>('PATCH', `/api/agents/${agent.id}`, {
    instructions: 'Be brief.',
  });
  const { versionId } = changed.agent;

  const same = await forks.fork(recorded.conversationId, { turnId: recorded.last.id });
  const other = await forks.fork(recorded.conversationId, {
    turnId: recorded.last.id,
    agentVersionId: versionId,
  });

  expect(same.turn).toMatchObject({ agentVersionId: recorded.last.agentVersionId, answer: 'Done.' });
  expect(other.turn).toMatchObject({ agentVersionId: versionId, answer: 'Short.' });
  const { original, run, comparison } = await forks.compare(other.conversation.id, same.conversation.id);
  expect(original).toMatchObject({ conversationId: same.conversation.id, turns: [{ answer: 'Done.' }] });
  expect(run.turns).toMatchObject([{ answer: 'Short.', steps: [{ calls: [{ answeredBy: 'exact' }] }, {}] }]);
  expect(comparison).toMatchObject({
    ...{ passed: true, trajectory: 'exact', scores: { exact: 0, trajectory: 1 } },
    firstDifference: { turn: 1, kind: 'answer', expected: 'Done.', found: 'Short.' },
  });
});

test('forks are compared from where they part', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')]), plan([lookUp('b')]), plan([add('c')])]);
  const { turns } = await scene.api.ask<{ turns: Turn[] }>(
    'GET',
    `/api/conversations/${recorded.conversationId}/turns`,
  );
  const first = await forks.fork(recorded.conversationId, { turnId: turns[1]?.id });
  const second = await forks.fork(recorded.conversationId, { turnId: recorded.last.id });
  const ofSecond = await forks.fork(second.conversation.id, { turnId: second.turn.id, tools: 'live' });

  expect((await forks.compare(first.conversation.id, recorded.conversationId)).original.turns).toHaveLength(
    2,
  );
  const parted = await forks.compare(second.conversation.id, first.conversation.id);
  expect([parted.original.turns.length, parted.run.turns.length]).toEqual([1, 2]);
  const again = await forks.compare(ofSecond.conversation.id, recorded.conversationId);
  expect(again.run.turns).toMatchObject([{ turnId: ofSecond.turn.id }]);
  expect(again.comparison).toMatchObject({ passed: true, trajectory: 'exact', scores: { trajectory: 1 } });
  const listed = await scene.api.ask<{ conversations: Conversation[] }>(
    'GET',
    `/api/conversations?parentId=${recorded.conversationId}`,
  );
  expect(listed.conversations.map(({ id }) => id)).toEqual([second.conversation.id, first.conversation.id]);

  await scene.api.ask('DELETE', `/api/conversations/${recorded.conversationId}`);
  expect((await forks.compare(second.conversation.id, first.conversation.id)).run.turns).toHaveLength(2);
  const later = await forks.fork(second.conversation.id, { turnId: second.turn.id });
  expect(later.turn.outcome).toBe('completed');
  const alone = await forks.record(agent, [plan([])]);
  const { error } = await scene.api.call(
    'GET',
    `/api/conversations/${first.conversation.id}/compare?with=${alone.conversationId}`,
  );
  expect(error).toMatchObject({ code: 'INVALID_INPUT', details: [{ field: 'with' }] });
});

test('a fork that runs nothing has the history, and takes messages', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')]), plan([lookUp('b')])]);

  const { conversation, turn } = await scene.api.ask<Fork>(
    'POST',
    `/api/conversations/${recorded.conversationId}/fork`,
    { turnId: recorded.last.id, run: false },
  );

  expect(turn).toBeNull();
  expect(await forks.listMessages(conversation.id)).toHaveLength(3);
  const next = await scene.api.ask<{ turn: TurnDetails }>(
    'POST',
    `/api/conversations/${conversation.id}/turns?wait=true`,
    { message: JSON.stringify(plan([])) },
  );
  expect(next.turn.outcome).toBe('completed');
  const seen = scene.model.requests.at(-1)?.messages.map(({ role }) => role);
  expect(seen).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
});
