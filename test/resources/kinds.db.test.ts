import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { plainAgent, startApi, type Api } from '../labs/api-lab.ts';
import { expectRefused, openResourceApi } from '../labs/resource-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const { call, create, listNames } = openResourceApi(() => api);

const note = { name: 'Deployment', content: 'Deploys run on Tuesdays.', tags: ['operations'] };

describe('resources of the kind agent', () => {
  test('are the agents of the workspace', async () => {
    const { data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, name: 'Planned' } });
    const { id } = data.agent;
    expect((await call('GET', `/${id}`)).data.resource).toMatchObject({
      kind: 'agent',
      name: 'Planned',
      version: 1,
    });
    expect(await listNames('kind=agent&query=planned')).toEqual(['Planned']);
    const body = { attributes: { instructions: 'Answer in rhymes.' }, version: 1 };
    expect((await call('PATCH', `/${id}`, { body })).data.resource.version).toBe(2);
    expectRefused(await call('PATCH', `/${id}`, { body }), 'CONFLICT', 409);
    const stored = (await api.call('GET', `/api/agents/${id}`)).data.agent;
    expect(stored).toMatchObject({ version: 2, instructions: 'Answer in rhymes.' });
    expect((await call('GET', `/${id}/versions`)).data.versions).toHaveLength(2);
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    expect((await api.call('GET', `/api/agents/${id}`)).status).toBe(404);
    expect((await call('POST', `/${id}/restore`)).status).toBe(200);
    expect((await api.call('GET', `/api/agents/${id}`)).status).toBe(200);
  });

  test('are created as agents', async () => {
    const attributes = { name: 'Made', model: 'demo', instructions: 'Answer.' };
    const { id, owner } = await create('agent', attributes);
    expect(owner).toMatchObject({ type: 'key' });
    expect((await api.call('GET', `/api/agents/${id}`)).data.agent).toMatchObject({
      name: 'Made',
      tools: [],
    });
    const wrong = { body: { kind: 'agent', attributes: { ...attributes, model: 'nobody/none' } } };
    expectRefused(await call('POST', '', wrong), 'UNKNOWN_MODEL', 400);
    const tools = { body: { kind: 'agent', attributes: { ...attributes, tools: ['calculate'] } } };
    expectRefused(await call('POST', '', tools), 'INVALID_INPUT', 400);
  });
});

describe('what a schema cannot say', () => {
  test('a team names agents that exist', async () => {
    const { data } = await api.call('POST', '/api/agents', { body: plainAgent });
    const members = [{ agentId: data.agent.id, role: 'writes' }];
    const { attributes } = await create('team', { name: 'Team', members });
    expect(attributes).toMatchObject({ members });
    const filters = encodeURIComponent(JSON.stringify({ agentId: data.agent.id }));
    expect(await listNames(`kind=team&filters=${filters}`)).toEqual(['Team']);
    const strangers = { name: 'Team', members: [{ agentId: newId() }], leaderId: newId() };
    const refused = await call('POST', '', { body: { kind: 'team', attributes: strangers } });
    expectRefused(refused, 'INVALID_INPUT', 400);
    expect(refused.error.details).toMatchObject([
      { field: 'attributes.members.0.agentId' },
      { field: 'attributes.leaderId' },
    ]);
  });

  test('a project names resources that exist', async () => {
    const { id } = await create('note', note);
    await create('project', { name: 'Project', resourceIds: [id] });
    const missing = { kind: 'project', attributes: { name: 'Project', resourceIds: [id, newId()] } };
    expectRefused(await call('POST', '', { body: missing }), 'INVALID_INPUT', 400);
  });

  test('a standard is a JSON Schema', async () => {
    await create('standard', { name: 'Order', schema: { type: 'object', required: ['id'] } });
    const wrong = { kind: 'standard', attributes: { name: 'Order', schema: { type: 'strange' } } };
    expectRefused(await call('POST', '', { body: wrong }), 'INVALID_INPUT', 400);
  });
});
