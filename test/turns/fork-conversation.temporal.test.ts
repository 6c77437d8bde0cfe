import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { Conversation, Message } from '../../src/domain/conversation.ts';
import type { ConversationEvent } from '../../src/domain/event.ts';
import type { Turn, TurnDetails } from '../../src/domain/turn.ts';
import type { ComparedConversations } from '../../src/replays/compare-conversations.ts';
import { runCli } from '../labs/run-cli.ts';
import type { Plan } from '../servers/planned-model.ts';
import {
  createReplayedAgent,
  readRuns,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../labs/replay-scene.ts';

let scene: ReplayLab;

beforeAll(async () => {
  scene = await startReplayLab();
});

afterAll(() => scene.close());

const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });
const add = (item: string) => ({ tool: 'Adds', arguments: { item } });
const plan = (...rounds: Plan['rounds']) => ({ rounds, answer: 'Done.' });

interface Fork {
  conversation: Conversation;
  turn: Turn | null;
}

/** Forks a conversation and waits for the end of its turn. */
async function fork(
  parentId: string,
  body: object,
): Promise<{ conversation: Conversation; turn: TurnDetails }> {
  const { conversation, turn } = await scene.api.ask<Fork>(
    'POST',
    `/api/conversations/${parentId}/fork`,
    body,
  );
  if (!turn) throw new Error('the fork runs no turn');
  return { conversation, turn: await scene.lab.waitForOutcome(turn.id) };
}

const refuse = (parentId: string, body: object) =>
  scene.api.call('POST', `/api/conversations/${parentId}/fork`, body);

const listMessages = async (id: string) =>
  (await scene.api.ask<{ messages: Message[] }>('GET', `/api/conversations/${id}/messages?limit=100`))
    .messages;

const compare = (id: string, other: string) =>
  scene.api.ask<ComparedConversations>('GET', `/api/conversations/${id}/compare?with=${other}`);

/** A conversation of two turns, and the number of calls at the server after it. */
async function record(agent: Agent, plans: Plan[]) {
  const turns = await recordConversation(scene, agent.id, plans);
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) throw new Error('no turn was recorded');
  return { first, last, conversationId: first.conversationId, called: scene.called.length };
}

/** The results that the model got with its last request. */
const readSeenResults = () =>
  scene.model.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

test('a fork from a turn runs another message on the same history with recorded results', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')]), plan([lookUp('b'), add('c')])]);
  const message = JSON.stringify({ rounds: [[add('c'), lookUp('b')]], answer: 'Another way.' });

  const { conversation, turn } = await fork(recorded.conversationId, { turnId: recorded.last.id, message });

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
  const messages = await listMessages(conversation.id);
  expect(messages.map(({ text }) => text)).toEqual([
    ...(await listMessages(recorded.conversationId)).slice(0, 3).map(({ text }) => text),
    message,
    '',
    'Another way.',
  ]);
  const stored = await scene.lab.database.system('webhook_deliveries').count();
  expect(stored).toEqual([{ count: 0 }]);
});

test('a fork has a log of events with numbers and ids of its own', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')]), plan([lookUp('b')])]);

  const { conversation, turn } = await fork(recorded.conversationId, { turnId: recorded.last.id });

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

for (const execution of ['fast', 'inspectable'] as const) {
  test(`a live fork of ${execution} execution runs its tools, and nothing of the copy`, async () => {
    const agent = await createReplayedAgent(scene, undefined, execution);
    const recorded = await record(agent, [plan([add('a')]), plan([lookUp('b')])]);
    const message = JSON.stringify(plan([lookUp('other')]));

    const live = { turnId: recorded.last.id, message, tools: 'live' };
    const { conversation, turn } = await fork(recorded.conversationId, live);

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
    const recorded = await record(agent, [plan([lookUp('a'), add('b')], [add('c')], [add('d')])]);
    const [edited] = recorded.last.toolCalls;
    const asked = scene.model.requests.length;

    const { conversation, turn } = await fork(recorded.conversationId, {
      ...{ turnId: recorded.last.id, iteration: 2, tools: 'live' },
      toolResults: [{ toolCallId: edited?.id, result: 'nothing was found' }],
    });

    expect(scene.called.slice(recorded.called)).toEqual(['add']);
    expect(scene.model.requests.length - asked).toBe(2);
    expect(readSeenResults()).toEqual([
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
  const recorded = await record(agent, [plan([lookUp('a')], [lookUp('a')], [add('d')])]);
  const [edited] = recorded.last.toolCalls;

  const { turn } = await fork(recorded.conversationId, {
    ...{ turnId: recorded.last.id, iteration: 1 },
    toolResults: [{ toolCallId: edited?.id, result: '' }],
  });

  expect(scene.called).toHaveLength(recorded.called);
  expect(readSeenResults()).toEqual(['', 'look_up {"query":"a"}', 'add {"item":"d"}']);
  expect(turn.toolCalls.map(({ answeredBy }) => answeredBy)).toEqual(['edited', 'exact', 'exact']);
});

test('a call without a recorded result ends the turn, and the nearest result is marked', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')])]);
  const message = JSON.stringify(plan([lookUp('something else')], [add('never added')]));

  const { conversation, turn } = await fork(recorded.conversationId, { turnId: recorded.last.id, message });

  expect(scene.called).toHaveLength(recorded.called);
  expect(turn).toMatchObject({
    ...{ outcome: 'failed', error: { code: 'NOT_FOUND', message: expect.stringContaining('add') as string } },
    toolCalls: [
      { answeredBy: 'nearest', result: 'look_up {"query":"a"}' },
      { answeredBy: 'missed', status: 'failed', result: null },
    ],
  });
  const compared = await compare(conversation.id, recorded.conversationId);
  expect(compared.run.turns[0]).toMatchObject({ outcome: 'missed' });
  expect(compared.comparison).toMatchObject({ passed: false, firstDifference: { kind: 'arguments' } });
});

test('a fork runs another version of the agent', async () => {
  const agent = await createReplayedAgent(scene);
  const briefly = { rounds: [[lookUp('a')]], answer: 'Short.' };
  const recorded = await record(agent, [{ ...plan([lookUp('a')]), instructed: { 'Be brief.': briefly } }]);
  const changed = await scene.api.ask<{ agent: Agent }>('PATCH', `/api/agents/${agent.id}`, {
    instructions: 'Be brief.',
  });
  const { versionId } = changed.agent;

  const same = await fork(recorded.conversationId, { turnId: recorded.last.id });
  const other = await fork(recorded.conversationId, { turnId: recorded.last.id, agentVersionId: versionId });

  expect(same.turn).toMatchObject({ agentVersionId: recorded.last.agentVersionId, answer: 'Done.' });
  expect(other.turn).toMatchObject({ agentVersionId: versionId, answer: 'Short.' });
  const { original, run, comparison } = await compare(other.conversation.id, same.conversation.id);
  expect(original).toMatchObject({ conversationId: same.conversation.id, turns: [{ answer: 'Done.' }] });
  expect(run.turns).toMatchObject([{ answer: 'Short.', steps: [{ calls: [{ answeredBy: 'exact' }] }, {}] }]);
  expect(comparison).toMatchObject({
    ...{ passed: true, trajectory: 'exact', scores: { exact: 0, trajectory: 1 } },
    firstDifference: { turn: 1, kind: 'answer', expected: 'Done.', found: 'Short.' },
  });
});

test('forks are compared from where they part', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')]), plan([lookUp('b')]), plan([add('c')])]);
  const { turns } = await scene.api.ask<{ turns: Turn[] }>(
    'GET',
    `/api/conversations/${recorded.conversationId}/turns`,
  );
  const first = await fork(recorded.conversationId, { turnId: turns[1]?.id });
  const second = await fork(recorded.conversationId, { turnId: recorded.last.id });
  const ofSecond = await fork(second.conversation.id, { turnId: second.turn.id, tools: 'live' });

  expect((await compare(first.conversation.id, recorded.conversationId)).original.turns).toHaveLength(2);
  const parted = await compare(second.conversation.id, first.conversation.id);
  expect([parted.original.turns.length, parted.run.turns.length]).toEqual([1, 2]);
  const again = await compare(ofSecond.conversation.id, recorded.conversationId);
  expect(again.run.turns).toMatchObject([{ turnId: ofSecond.turn.id }]);
  expect(again.comparison).toMatchObject({ passed: true, trajectory: 'exact', scores: { trajectory: 1 } });
  const listed = await scene.api.ask<{ conversations: Conversation[] }>(
    'GET',
    `/api/conversations?parentId=${recorded.conversationId}`,
  );
  expect(listed.conversations.map(({ id }) => id)).toEqual([second.conversation.id, first.conversation.id]);

  await scene.api.ask('DELETE', `/api/conversations/${recorded.conversationId}`);
  expect((await compare(second.conversation.id, first.conversation.id)).run.turns).toHaveLength(2);
  const later = await fork(second.conversation.id, { turnId: second.turn.id });
  expect(later.turn.outcome).toBe('completed');
  const alone = await record(agent, [plan([])]);
  const { error } = await scene.api.call(
    'GET',
    `/api/conversations/${first.conversation.id}/compare?with=${alone.conversationId}`,
  );
  expect(error).toMatchObject({ code: 'INVALID_INPUT', details: [{ field: 'with' }] });
});

test('a fork that runs nothing has the history, and takes messages', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')]), plan([lookUp('b')])]);

  const { conversation, turn } = await scene.api.ask<Fork>(
    'POST',
    `/api/conversations/${recorded.conversationId}/fork`,
    { turnId: recorded.last.id, run: false },
  );

  expect(turn).toBeNull();
  expect(await listMessages(conversation.id)).toHaveLength(3);
  const next = await scene.api.ask<{ turn: TurnDetails }>(
    'POST',
    `/api/conversations/${conversation.id}/turns?wait=true`,
    { message: JSON.stringify(plan([])) },
  );
  expect(next.turn.outcome).toBe('completed');
  const seen = scene.model.requests.at(-1)?.messages.map(({ role }) => role);
  expect(seen).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
});

test('a repeated request finds the same fork, and another one under its key is refused', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([add('a')])]);
  const body = { turnId: recorded.last.id, tools: 'live' };
  const send = async (sent: object) => {
    const response = await fetch(`${scene.api.url}/api/conversations/${recorded.conversationId}/fork`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${scene.api.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'fork-once',
      },
      body: JSON.stringify(sent),
    });
    const answer = (await response.json()) as { data: Fork; error?: { code: string } };
    return { ...answer, status: response.status, repeated: response.headers.get('idempotent-replayed') };
  };

  const answers = await Promise.all([send(body), send(body), send(body)]);
  const [one] = answers;
  await scene.lab.waitForOutcome(one.data.turn?.id ?? '');
  const later = await send(body);

  expect(new Set([...answers, later].map(({ data }) => data.conversation.id)).size).toBe(1);
  expect(answers.filter(({ repeated }) => repeated === null)).toHaveLength(1);
  expect(later).toMatchObject({ status: 201, repeated: 'true', data: { turn: { status: 'completed' } } });
  expect(scene.called.slice(recorded.called)).toEqual(['add']);
  expect(await send({ ...body, tools: 'recorded' })).toMatchObject({
    ...{ status: 409, error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
  });
});

test('requests that fit no turn or step are refused', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')], [add('b')])]);
  const other = await record(agent, [plan([])]);
  const { conversationId, last } = recorded;
  const [call, second] = last.toolCalls;
  const edit = (toolCallId: string | undefined) => ({ toolResults: [{ toolCallId, result: 'x' }] });

  const wrong = [
    [{ turnId: last.id, iteration: 3 }, 'iteration'],
    [{ turnId: last.id, iteration: 1, message: 'x' }, 'message'],
    [{ turnId: last.id, ...edit(call?.id) }, 'toolResults'],
    [{ turnId: last.id, iteration: 1, ...edit(second?.id) }, 'toolResults.0.toolCallId'],
    [{ turnId: last.id, iteration: 1, run: false }, 'run'],
    [{ turnId: last.id, message: 'x', run: false }, 'message'],
    [{ turnId: last.id, agentVersionId: last.id }, 'agentVersionId'],
    [{ turnId: last.id, message: 'a\u0000b' }, 'message'],
    [{ turnId: last.id, tools: 'stubbed' }, 'tools'],
  ] as const;
  for (const [body, field] of wrong) {
    const { status, error } = await refuse(conversationId, body);
    expect([status, error.details]).toMatchObject([400, [{ field }]]);
  }
  const twice = [call, call].map((one) => ({ toolCallId: one?.id, result: 'x' }));
  expect((await refuse(conversationId, { turnId: last.id, iteration: 1, toolResults: twice })).status).toBe(
    400,
  );
  expect(await refuse(other.conversationId, { turnId: last.id })).toMatchObject({
    ...{ status: 404, error: { code: 'NOT_FOUND' } },
  });
  expect((await refuse(last.id, { turnId: last.id })).status).toBe(404);
});

test('a conversation with a deleted agent is forked with the version of another agent only', async () => {
  const agent = await createReplayedAgent(scene);
  const other = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')])]);
  await scene.api.ask('DELETE', `/api/agents/${agent.id}`);

  const refused = await refuse(recorded.conversationId, { turnId: recorded.last.id });
  const { conversation, turn } = await fork(recorded.conversationId, {
    ...{ turnId: recorded.last.id, agentVersionId: other.versionId },
  });

  expect(refused).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  expect([conversation.agentId, turn.agentId, turn.outcome]).toEqual([other.id, other.id, 'completed']);
});

test('an imported conversation is forked with an agent of the workspace', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')]), plan([add('b')])]);
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${scene.api.url}/api/recordings${path}`, {
      ...init,
      headers: { authorization: `Bearer ${scene.api.key}`, 'content-type': 'application/x-ndjson' },
    });
  const lines = await (await send(`?conversationId=${recorded.conversationId}`)).text();
  const imported = (await (await send('', { method: 'POST', body: lines })).json()) as {
    data: { agents: { id: string }[] };
  };
  const { conversations } = await scene.api.ask<{ conversations: Conversation[] }>(
    'GET',
    `/api/conversations?agentId=${imported.data.agents[0]?.id}`,
  );
  const [copy] = conversations;
  if (!copy) throw new Error('nothing was imported');
  const path = `/api/conversations/${copy.id}/turns`;
  const { turns } = await scene.api.ask<{ turns: Turn[] }>('GET', path);

  const { conversation, turn } = await fork(copy.id, {
    turnId: turns[0]?.id,
    agentVersionId: agent.versionId,
  });

  expect(copy.source).toBe('holdfast');
  expect(conversation).toMatchObject({
    agentId: agent.id,
    source: null,
    parent: { conversationId: copy.id },
  });
  expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ name: 'add', answeredBy: 'exact' }] });
  expect(scene.called).toHaveLength(recorded.called);
});

test('a replay of an agent leaves out what forks have copied and what got recorded results', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')]), plan([lookUp('b')])]);
  await fork(recorded.conversationId, { turnId: recorded.last.id });
  const live = await fork(recorded.conversationId, { turnId: recorded.last.id, tools: 'live' });

  const ofAgent = await replay(scene, { selection: { agentId: agent.id }, baseline: false });
  const ofFork = await replay(scene, {
    ...{ selection: { conversationIds: [live.conversation.id] }, baseline: false, mode: 'conversations' },
  });

  const runs = await readRuns(scene, ofAgent.id);
  const replayed = runs.filter(({ lane }) => lane === 'candidate').map(({ run }) => run?.turns[0]?.turnId);
  expect(replayed).toEqual([recorded.first.id, recorded.last.id, live.turn.id]);
  const [, ofCopies] = await readRuns(scene, ofFork.id);
  expect(ofCopies).toMatchObject({ run: { turns: [{}, {}] }, comparison: { passed: true } });
});

test('the command line forks a conversation and compares it', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await record(agent, [plan([lookUp('a')], [add('b')])]);
  const environment = { HOLDFAST_URL: scene.api.url, HOLDFAST_API_KEY: scene.api.key };
  const run = async (...words: string[]) =>
    (await runCli(['conversations', ...words], { environment })).stdout.trimEnd().split('\n');
  const { conversationId, last } = recorded;
  const result = `${last.toolCalls[0]?.id}=none=at all`;

  const [line, ...shown] = await run(
    ...['fork', conversationId, '--turn', last.id, '--iteration', '1', '--result', result],
  );

  const forkId = /[0-9a-f-]{36}/.exec(line ?? '')?.[0] ?? '';
  expect(shown.slice(1)).toEqual(['  1  look_up  succeeded  edited', '  2  add  succeeded  exact', 'Done.']);
  expect(readSeenResults()).toEqual(['none=at all', 'add {"item":"b"}']);
  expect(await run('compare', forkId, '--with', conversationId)).toEqual([
    'Trajectory: exact. Scores: trajectory 1.00, exact 1.00, normalised 1.00.',
    'There is no difference.',
  ]);
  const other = JSON.stringify(plan([add('b')]));
  const [message] = await run('fork', conversationId, '--turn', last.id, '--message', other, '--json');
  expect(message).toBe('{');
});
