import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Replay } from '../../../src/domain/replay.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import type { TurnDetails } from '../../../src/domain/turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createReplayEngine } from '../../../src/modules/replays/replay-engine.ts';
import { coreTool } from '../../labs/core-tool.ts';
import { callApi } from '../../labs/lab-api.ts';
import { readRuns, startReplayLab, waitForReplay, type ReplayLab } from '../../labs/replay-scene.ts';

let scene: ReplayLab;
beforeAll(async () => {
  scene = await startReplayLab();
});
afterAll(() => scene.close());

const secret = 'The alarm code is 4711.';
const replaying: Scope[] = ['replays:read', 'replays:write', 'conversations:read', 'conversations:write'];

async function createPerson(name: string, scopes: Scope[] = replaying) {
  const { key, apiKey } = await scene.api.ask<{ key: string; apiKey: { id: string } }>(
    ...(['POST', '/api/api-keys', { name, scopes, actsFor: name }] as const),
  );
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await callApi({ url: scene.api.url + path, key, method, body });
    return { status, ...(JSON.parse(text) as { data: { replay: Replay }; error: { code: string } }) };
  };
  return { id: apiKey.id, call };
}

/** An agent, and a turn of Bob whose message holds a secret and has the agent remember something about him. */
async function recordBob() {
  const tools = [{ ...coreTool('remember'), description: 'Keeps a memory.' }];
  const fields = { name: 'Desk', model: 'compatible/planned', instructions: 'Help.', execution: 'direct' };
  const { agent } = await scene.api.ask<{ agent: Agent }>('POST', '/api/agents', { ...fields, tools });
  const memory = { content: 'Bob likes tea.', scope: 'user' };
  const plan = { rounds: [[{ tool: 'Keeps', arguments: memory }]], answer: secret };
  return { agent, turn: await record(agent, 'bob', plan) };
}

async function record(agent: Agent, person: string, plan: object): Promise<TurnDetails> {
  const { conversation } = await scene.api.ask<{ conversation: { id: string } }>(
    ...(['POST', '/api/conversations', { agentId: agent.id, person }] as const),
  );
  const body = { message: JSON.stringify(plan), actingFor: person };
  const path = `/api/conversations/${conversation.id}/turns?wait=true`;
  const { turn } = await scene.api.ask<{ turn: TurnDetails }>('POST', path, body);
  expect(turn.outcome).toBe('completed');
  return turn;
}

async function share({ conversationId }: TurnDetails, sharedWith: string[]) {
  await scene.api.ask('PATCH', `/api/conversations/${conversationId}`, { sharedWith });
}

const findMemories = async () =>
  (await scene.api.ask<{ resources: object[] }>('GET', '/api/resources?kind=memory&limit=100')).resources;

const rubric = { model: 'compatible/planned', rubric: 'Which answer is better?' };

test('a key for one person replays what that person sees, and nothing of others reaches a model', async () => {
  const { agent, turn } = await recordBob();
  const own = await record(agent, 'ann', { rounds: [], answer: 'Hello.' });
  const ann = await createPerson('ann');
  expect((await ann.call('GET', `/api/turns/${turn.id}`)).status).toBe(404);
  const asked = scene.model.requests.length;
  const ended = await Promise.all(
    [{ turnIds: [turn.id] }, { conversationIds: [turn.conversationId] }, { agentId: agent.id }].map(
      async (selection) => {
        const candidate = { instructions: 'Repeat everything.' };
        const { data } = await ann.call('POST', '/api/replays', { selection, candidate, judge: rubric });
        return waitForReplay(scene, data.replay.id);
      },
    ),
  );
  expect(ended.map(({ status, cases }) => [status, cases])).toEqual([
    ['completed', 0],
    ['completed', 0],
    ['completed', 1],
  ]);
  const runs = await readRuns(scene, ended[2]?.id ?? '');
  expect(new Set(runs.flatMap(({ run }) => run?.turns.map(({ turnId }) => turnId)))).toEqual(
    new Set([own.id]),
  );
  expect(JSON.stringify(scene.model.requests.slice(asked))).not.toContain(secret);
});

test('a replay reads what its maker sees when it runs, not when it was made', async () => {
  const { turn } = await recordBob();
  const ann = await createPerson('ann');
  const { workspaceId, database } = scene.lab;
  await share(turn, ['ann']);
  const { data } = await ann.call('POST', '/api/replays', { selection: { turnIds: [turn.id] } });
  expect(await waitForReplay(scene, data.replay.id)).toMatchObject({ cases: 1, runs: { failed: 0 } });

  // A replay that was planned while the conversation was shared, and that no worker has run.
  const replayId = newId();
  const { input, startedBy } = data.replay;
  await database.system('replays').insert({
    ...{ id: replayId, workspace_id: workspaceId, name: 'planned', input: JSON.stringify(input), cases: 1 },
    started_by: JSON.stringify(startedBy),
  });
  await database.system('replay_cases').insert({
    ...{ replay_id: replayId, position: 0, workspace_id: workspaceId },
    ...{ conversation_id: turn.conversationId, turn_ids: [turn.id] },
  });
  await share(turn, []);
  const asked = scene.model.requests.length;
  await createReplayEngine(scene.lab).startReplay({ workspaceId, replayId });
  expect(await waitForReplay(scene, replayId)).toMatchObject({ status: 'completed', runs: { failed: 2 } });
  expect(await readRuns(scene, replayId)).toMatchObject([
    { run: null, error: { code: 'NOT_FOUND' } },
    { run: null, error: { code: 'NOT_FOUND' } },
  ]);
  expect(scene.model.requests).toHaveLength(asked);
});

test('a replay stops when the key of its maker is revoked', async () => {
  const { agent } = await recordBob();
  const ann = await createPerson('ann');
  const selection = { agentId: agent.id };
  const { data } = await ann.call('POST', '/api/replays', { selection });
  await waitForReplay(scene, data.replay.id);
  await scene.api.ask('DELETE', `/api/api-keys/${ann.id}`);
  const replayId = newId();
  const { workspaceId, database } = scene.lab;
  await database.system('replays').insert({
    ...{ id: replayId, workspace_id: workspaceId, name: 'left', input: JSON.stringify(data.replay.input) },
    started_by: JSON.stringify(data.replay.startedBy),
  });
  await createReplayEngine(scene.lab).startReplay({ workspaceId, replayId });
  expect(await waitForReplay(scene, replayId)).toMatchObject({
    ...{ status: 'failed', error: { code: 'RIGHTS_LOST' } },
  });
});

test('live calls of a replay do not act for another person', async () => {
  const { turn } = await recordBob();
  const [ann, bob] = [await createPerson('ann'), await createPerson('Bob')];
  await share(turn, ['ann']);
  const body = { selection: { turnIds: [turn.id] }, baseline: false, toolAnswers: { remember: 'live' } };
  const before = await findMemories();
  const run = async (person: typeof ann) => {
    const { data } = await person.call('POST', '/api/replays', body);
    const { id } = await waitForReplay(scene, data.replay.id);
    return (await readRuns(scene, id)).at(-1)?.run?.turns[0]?.steps[0]?.calls[0];
  };
  expect(await run(ann)).toMatchObject({ answeredBy: 'blocked', rule: 'person' });
  expect(await findMemories()).toEqual(before);
  expect(await run(bob)).toMatchObject({ answeredBy: 'live', status: 'succeeded' });
  expect(await findMemories()).toHaveLength(before.length + 1);
});

test('a replay names a connection only with the right to use it', async () => {
  const { agent } = await recordBob();
  const ann = await createPerson('ann');
  const connectionId = newId();
  for (const named of [
    { candidate: { modelConnectionId: connectionId } },
    { judge: { ...rubric, modelConnectionId: connectionId } },
  ])
    expect(
      await ann.call('POST', '/api/replays', { selection: { agentId: agent.id }, ...named }),
    ).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
});
