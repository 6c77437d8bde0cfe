import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config.ts';
import { openConversation, startApi, startTurn, type Api } from '../../labs/api-lab.ts';
import { toDocument } from '../../labs/routine-scene.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  const ui = { HOLDFAST_TEMPORAL_UI_URL: 'https://temporal.example.com/', TEMPORAL_NAMESPACE: 'agents' };
  api = await startApi({}, ui);
});
afterAll(() => api.stop());

interface Linked {
  id: string;
  workflowId: string | null;
  temporalUrl: string | null;
}

/** Reads the thing that an answer has as its only field. */
async function read(path: string, from = api, key = from.key): Promise<Linked> {
  const { status, data } = await from.call('GET', path, { key });
  expect(status).toBe(200);
  return Object.values(data)[0] as Linked;
}

async function post(path: string, body: object): Promise<{ id: string }> {
  const { status, data } = await api.call('POST', path, { body });
  expect(status).toBeLessThan(300);
  return Object.values(data)[0] as Linked;
}

const toPage = (workflowId: string) =>
  `https://temporal.example.com/namespaces/agents/workflows/${workflowId}`;

async function endTurn(id: string): Promise<void> {
  const end = { status: 'completed', answer: 'Hello.', settled_at: new Date() };
  await api.database.system('turns').where({ id }).update(end);
}

test('a turn has the page of its workflow, while it runs and when it is over', async () => {
  const { conversationId } = await openConversation(api);
  const id = await startTurn(api, conversationId);
  const link = { id, workflowId: `turn-${id}`, temporalUrl: toPage(`turn-${id}`) };
  expect(await read(`/api/turns/${id}`)).toMatchObject(link);
  await endTurn(id);
  expect(await read(`/api/turns/${id}`)).toMatchObject(link);
});

test('a message that waits and a copy in a fork have no workflow, and the turn of a fork has one', async () => {
  const { conversationId } = await openConversation(api);
  const first = await startTurn(api, conversationId);
  const path = `/api/conversations/${conversationId}/turns`;
  const second = await post(path, { message: 'Later', onBusy: 'enqueue' });
  expect(await read(`/api/turns/${second.id}`)).toMatchObject({ workflowId: null, temporalUrl: null });
  await endTurn(first);
  await endTurn(second.id);
  const body = { turnId: second.id, message: 'Again' };
  const { data } = await api.call('POST', `/api/conversations/${conversationId}/fork`, { body });
  const turns = await api.call('GET', `/api/conversations/${data.conversation.id}/turns`);
  const links = await Promise.all(turns.data.turns.map(({ id }) => read(`/api/turns/${id}`)));
  const { id } = data.turn;
  expect(links).toMatchObject([
    { id, workflowId: `turn-${id}`, temporalUrl: toPage(`turn-${id}`) },
    { workflowId: null, temporalUrl: null },
  ]);
});

test('runs of routines, swarms and replays have the pages of theirs', async () => {
  const { agentId } = await openConversation(api);
  const document = toDocument('linked', '  - rest: { wait: { hours: 1 } }');
  const routine = await post('/api/routines', { agentId, document });
  const run = await post(`/api/routines/${routine.id}/runs`, {});
  const subtasks = [{ id: 'a', description: 'Do it.', assignee: agentId }];
  const swarm = await post('/api/swarms', { kind: 'rich', goal: 'Done', subtasks });
  const replay = await post('/api/replays', { selection: { agentId } });
  for (const [path, workflowId] of [
    [`/api/routine-runs/${run.id}`, `turn-${run.id}`],
    [`/api/turns/${run.id}`, `turn-${run.id}`],
    [`/api/swarms/${swarm.id}`, `swarm-${swarm.id}`],
    [`/api/replays/${replay.id}`, `replay-${replay.id}`],
  ] as const)
    expect(await read(path)).toMatchObject({ workflowId, temporalUrl: toPage(workflowId) });
});

test('a person, who has no access to Temporal, gets no page', async () => {
  const { conversationId } = await openConversation(api);
  await api.database.system('conversations').where({ id: conversationId }).update({ person: 'ann' });
  const id = await startTurn(api, conversationId);
  const key = await api.createKey(api.workspaceId, ['conversations:read'], { actsFor: 'Ann' });
  expect(await read(`/api/turns/${id}`, api, key)).toMatchObject({
    ...{ workflowId: `turn-${id}`, temporalUrl: null },
  });
});

test('no page is named without the address of the Web UI, and a wrong address is refused', async () => {
  const plain = await shareApi();
  const { conversationId } = await openConversation(plain);
  const id = await startTurn(plain, conversationId);
  expect(await read(`/api/turns/${id}`, plain)).toMatchObject({
    workflowId: `turn-${id}`,
    temporalUrl: null,
  });
  const wrong = { HOLDFAST_TEMPORAL_UI_URL: 'temporal.example.com' };
  expect(() => loadConfig(wrong)).toThrow('HOLDFAST_TEMPORAL_UI_URL');
});
