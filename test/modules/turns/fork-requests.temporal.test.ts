import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '../../../src/domain/conversation.ts';
import type { Turn } from '../../../src/domain/turn.ts';
import { add, createForkScene, lookUp, plan, type Fork } from '../../labs/fork-scene.ts';
import {
  createReplayedAgent,
  readRuns,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../../labs/replay-scene.ts';
import { runCli } from '../../labs/run-cli.ts';

let scene: ReplayLab;
let forks: ReturnType<typeof createForkScene>;

beforeAll(async () => {
  scene = await startReplayLab();
  forks = createForkScene(scene);
});

afterAll(() => scene.close());

test('a repeated request finds the same fork, and another one under its key is refused', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([add('a')])]);
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
  const recorded = await forks.record(agent, [plan([lookUp('a')], [add('b')])]);
  const other = await forks.record(agent, [plan([])]);
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
    const { status, error } = await forks.refuse(conversationId, body);
    expect([status, error.details]).toMatchObject([400, [{ field }]]);
  }
  const twice = [call, call].map((one) => ({ toolCallId: one?.id, result: 'x' }));
  expect(
    (await forks.refuse(conversationId, { turnId: last.id, iteration: 1, toolResults: twice })).status,
  ).toBe(400);
  expect(await forks.refuse(other.conversationId, { turnId: last.id })).toMatchObject({
    ...{ status: 404, error: { code: 'NOT_FOUND' } },
  });
  expect((await forks.refuse(last.id, { turnId: last.id })).status).toBe(404);
});

test('a live fork is refused with a version of another agent', async () => {
  const agent = await createReplayedAgent(scene);
  const other = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([add('a')])]);
  const body = { turnId: recorded.last.id, agentVersionId: other.versionId, tools: 'live' };

  const { status, error } = await forks.refuse(recorded.conversationId, body);

  expect([status, error.details]).toMatchObject([400, [{ field: 'agentVersionId' }]]);
  expect(scene.called).toHaveLength(recorded.called);
});

test('a live fork with an old version obeys the rules that its agent has today as well', async () => {
  const agent = await createReplayedAgent(scene);
  const limits = (maxCallsPerTurn: number) => ({ toolPolicies: { add: { maxCallsPerTurn } } });
  const change = (rules: object) => scene.api.ask('PATCH', `/api/agents/${agent.id}`, { rules });
  await change(limits(5));
  const recorded = await forks.record(agent, [plan([add('a'), add('b')], [lookUp('c')])]);
  const rerun = async () => {
    const { turn } = await forks.fork(recorded.conversationId, { turnId: recorded.last.id, tools: 'live' });
    expect(turn.agentVersionId).toBe(recorded.last.agentVersionId);
    return turn.toolCalls.map(({ name, status }) => `${name} ${status}`);
  };

  await change(limits(1));
  expect(await rerun()).toEqual(['add succeeded', 'add blocked', 'look_up succeeded']);
  await change({ toolPolicies: { add: { allowedValues: { item: ['z'] } } } });
  expect(await rerun()).toEqual(['add blocked', 'add blocked', 'look_up succeeded']);
  expect(scene.called.slice(recorded.called)).toEqual(['add', 'look_up', 'look_up']);
});

test('a conversation with a deleted agent is forked with the version of another agent only', async () => {
  const agent = await createReplayedAgent(scene);
  const other = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')])]);
  await scene.api.ask('DELETE', `/api/agents/${agent.id}`);

  const refused = await forks.refuse(recorded.conversationId, { turnId: recorded.last.id });
  const { conversation, turn } = await forks.fork(recorded.conversationId, {
    ...{ turnId: recorded.last.id, agentVersionId: other.versionId },
  });

  expect(refused).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  expect([conversation.agentId, turn.agentId, turn.outcome]).toEqual([other.id, other.id, 'completed']);
});

test('an imported conversation is forked with an agent of the workspace', async () => {
  const agent = await createReplayedAgent(scene);
  const recorded = await forks.record(agent, [plan([lookUp('a')]), plan([add('b')])]);
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

  const { conversation, turn } = await forks.fork(copy.id, {
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
  const recorded = await forks.record(agent, [plan([lookUp('a')]), plan([lookUp('b')])]);
  await forks.fork(recorded.conversationId, { turnId: recorded.last.id });
  const live = await forks.fork(recorded.conversationId, { turnId: recorded.last.id, tools: 'live' });

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
  const recorded = await forks.record(agent, [plan([lookUp('a')], [add('b')])]);
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
  expect(forks.readSeenResults()).toEqual(['none=at all', 'add {"item":"b"}']);
  expect(await run('compare', forkId, '--with', conversationId)).toEqual([
    'Trajectory: exact. Scores: trajectory 1.00, exact 1.00, normalised 1.00.',
    'There is no difference.',
  ]);
  const other = JSON.stringify(plan([add('b')]));
  const [message] = await run('fork', conversationId, '--turn', last.id, '--message', other, '--json');
  expect(message).toBe('{');
});
