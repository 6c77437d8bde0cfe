import { beforeAll, expect, test } from 'vitest';
import { openConversation, plainAgent, startTurn, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createTurnPlayer } from '../../labs/turn-player.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const calculate = {
  type: 'function',
  name: 'calculate',
  description: 'Calculates.',
  schema: { type: 'object', properties: { expression: { type: 'string' } } },
  config: { functionName: 'calculate' },
};

async function createAgent(change: object = {}) {
  const { status, data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, ...change } });
  expect(status).toBe(201);
  return data.agent;
}

test('a new agent has version 1 and the defaults', async () => {
  const agent = await createAgent({ tools: [calculate] });
  expect(agent).toMatchObject({ ...plainAgent, version: 1, limits: {}, execution: 'inspectable' });
  expect(agent.tools).toMatchObject([calculate]);
  expect(agent.tools[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
  const found = await api.call('GET', `/api/agents/${agent.id}`);
  expect(found.data.agent).toEqual(agent);
});

test('an update creates a new version and keeps the old one unchanged', async () => {
  const agent = await createAgent({ tools: [calculate] });
  const changed = await api.call('PATCH', `/api/agents/${agent.id}`, {
    body: { instructions: 'Be short.', tools: [{ ...calculate, description: 'Calculates well.' }] },
  });
  expect(changed.data.agent).toMatchObject({ name: 'Plain', instructions: 'Be short.', version: 2 });
  expect(changed.data.agent.tools[0]?.id).toBe(agent.tools[0]?.id);
  const first = await api.call('GET', `/api/agents/${agent.id}/versions/1`);
  expect(first.data.version).toMatchObject({
    agentId: agent.id,
    instructions: 'Answer.',
    tools: [calculate],
  });
  const versions = await api.call('GET', `/api/agents/${agent.id}/versions`);
  expect(versions.data.versions.map((version: { version: number }) => version.version)).toEqual([2, 1]);
});

test('concurrent updates become consecutive versions', async () => {
  const agent = await createAgent();
  const path = `/api/agents/${agent.id}`;
  const changes = Array.from({ length: 8 }, (_, index) =>
    api.call('PATCH', path, { body: { name: `Name ${index}` } }),
  );
  const versions = (await Promise.all(changes)).map(({ data }) => data.agent.version);
  expect(versions.sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a deleted agent is not found, and its messages can still be read', async () => {
  const agent = await createAgent();
  const path = `/api/agents/${agent.id}`;
  expect((await api.call('DELETE', path)).status).toBe(200);
  expect((await api.call('GET', path)).status).toBe(404);
  expect((await api.call('DELETE', path)).status).toBe(404);
  expect((await api.call('PATCH', path, { body: { name: 'New' } })).status).toBe(404);
  expect((await api.call('GET', `${path}/versions/1`)).status).toBe(200);
  const opened = await api.call('POST', '/api/conversations', { body: { agentId: agent.id } });
  expect([opened.status, opened.error.code]).toEqual([404, 'NOT_FOUND']);
  const audit = await api.call('GET', `/api/audit-events?subjectId=${agent.id}&limit=1`);
  expect(audit.data).toMatchObject({
    auditEvents: [{ type: 'agent.configured', payload: { deleted: true } }],
  });
});

test('agents are listed page by page, newest first, with none missing and none twice', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) ids.push((await createAgent()).id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { data } = await api.call('GET', `/api/agents?limit=3${cursor && `&cursor=${cursor}`}`);
    expect(data.agents.length).toBeLessThanOrEqual(3);
    seen.push(...data.agents.map((agent: { id: string }) => agent.id));
    cursor = data.nextCursor ?? '';
  } while (cursor !== '');
  expect(seen.slice(0, 7)).toEqual(ids.reverse());
  expect(new Set(seen).size).toBe(seen.length);
});

test('a model without a key is accepted, and the answer to the change warns of it', async () => {
  const warnings = [
    {
      field: 'model',
      message:
        'ANTHROPIC_API_KEY is not set for the API. Turns fail until it is set for the workers, or the agent has a ' +
        '`modelConnectionId`.',
    },
  ];
  const created = await api.call('POST', '/api/agents', {
    body: { ...plainAgent, model: 'anthropic/claude' },
  });
  expect([created.status, created.data.agent.warnings]).toEqual([201, warnings]);
  const path = `/api/agents/${created.data.agent.id}`;
  const renamed = await api.call('PATCH', path, { body: { name: 'Other' } });
  expect([renamed.status, renamed.data.agent.warnings]).toEqual([200, warnings]);
  const changed = await api.call('PATCH', path, { body: { model: 'demo' } });
  expect(changed.data.agent).not.toHaveProperty('warnings');
});

test('an agent is deleted for good on request, also after it was deleted, but not while a turn runs', async () => {
  const { agentId, conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const path = `/api/agents/${agentId}`;
  const refused = await api.call('DELETE', `${path}?permanent=true`);
  expect(refused).toMatchObject({ status: 409, error: { code: 'TURN_RUNNING', details: { turnId } } });
  await createTurnPlayer(api, { conversationId, turnId }).settle('Done.');
  expect((await api.call('DELETE', path)).status).toBe(200);
  expect((await api.call('GET', `/api/conversations/${conversationId}`)).status).toBe(200);
  expect((await api.call('DELETE', `${path}?permanent=true`)).data).toEqual({ deleted: true });
  expect((await api.call('DELETE', `${path}?permanent=true`)).status).toBe(404);
  const audited = await api.call('GET', `/api/audit-events?subjectId=${agentId}&type=agent.deleted`);
  expect(audited.data).toMatchObject({ auditEvents: [{ subjectId: agentId }] });
});
