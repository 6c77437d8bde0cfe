import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefused, openResourceApi } from '../../labs/resource-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

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

describe('kinds with an API of their own', () => {
  const attributes = { name: 'Guarded', model: 'demo', instructions: 'Answer.' };
  const resources = ['resources:read', 'resources:write'] as const;

  test('need the rights to it', async () => {
    const key = await api.createKey(api.workspaceId, [...resources]);
    const { id } = await create('agent', attributes);
    const remark = await create('note', note, { key });
    const refusals = [
      ['POST', '', { body: { kind: 'agent', attributes } }],
      ['GET', '?kind=agent'],
      ['GET', '?kind=routine'],
      ['GET', `/${id}`],
      ['GET', `/${id}/versions`],
      ['PATCH', `/${id}`, { body: { attributes: { instructions: 'Lie.' } } }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/restore`],
    ] as const;
    for (const [method, path, options = {}] of refusals)
      expectRefused(await call(method, path, { ...options, key }), 'FORBIDDEN', 403);

    const { data } = await call('GET', '?limit=100', { key });
    expect(new Set(data.resources.map(({ kind }) => kind))).toEqual(new Set(['note']));
    expect(data.resources.map((one) => one.id)).toContain(remark.id);
    expect((await api.call('GET', `/api/agents/${id}`)).data.agent).toMatchObject({ version: 1 });
  });

  test('are read with the right to read them, and changed with the right to change them', async () => {
    const reader = await api.createKey(api.workspaceId, [...resources, 'agents:read']);
    const writer = await api.createKey(api.workspaceId, [...resources, 'agents:write']);
    const { id } = await create('agent', attributes, { key: writer });
    expect((await call('GET', `/${id}`, { key: reader })).status).toBe(200);
    expectRefused(await call('DELETE', `/${id}`, { key: reader }), 'FORBIDDEN', 403);
    expectRefused(await call('GET', `/${id}`, { key: writer }), 'FORBIDDEN', 403);
    expect((await call('DELETE', `/${id}`, { key: writer })).status).toBe(200);
    expect((await call('POST', `/${id}/restore`, { key: writer })).status).toBe(200);
  });
});

describe('resources of the kinds routine and single_step_routine', () => {
  const header = { dsl: '1.0.0', namespace: 'test', name: 'refund-check', version: '1.0.0' };
  const tasks = [{ sum: { call: 'calculate', with: { expression: '1 + 1' } } }, { keep: { set: { a: 1 } } }];

  async function createAgent(): Promise<string> {
    return (await api.call('POST', '/api/agents', { body: plainAgent })).data.agent.id;
  }

  test('are the routines of the workspace, with several tasks or with one', async () => {
    const agentId = await createAgent();
    const document = { document: header, do: tasks };
    const { id, owner } = await create('routine', { agentId, document });
    expect(owner).toMatchObject({ type: 'key' });
    expect((await api.call('GET', `/api/routines/${id}`)).data).toMatchObject({
      routine: { name: 'refund-check', version: 1, document },
    });
    expect(await listNames('kind=routine&query=refund')).toEqual(['refund-check']);
    const change = { attributes: { document: { ...document, do: [...tasks, { end: { set: { b: 2 } } }] } } };
    const changed = await call('PATCH', `/${id}`, { body: { ...change, version: 1 } });
    expect(changed.data.resource).toMatchObject({ version: 2, attributes: { agentId } });
    expectRefused(await call('PATCH', `/${id}`, { body: { ...change, version: 1 } }), 'CONFLICT', 409);
    const { versions } = (await call('GET', `/${id}/versions`)).data;
    expect(versions).toMatchObject([
      { version: 2, madeBy: { type: 'key' } },
      { version: 1, attributes: { document } },
    ]);
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    expect((await api.call('GET', `/api/routines/${id}`)).status).toBe(404);
    expect((await call('POST', `/${id}/restore`)).status).toBe(200);
    const single = { agentId, document: { document: { ...header, name: 'one' }, do: tasks.slice(0, 1) } };
    expectRefused(
      await call('POST', '', { body: { kind: 'routine', attributes: single } }),
      'INVALID_INPUT',
      400,
    );
  });

  test('have an owner however they were made', async () => {
    const document = { document: { ...header, name: 'owned' }, do: tasks };
    const body = { document, actingFor: 'ann' };
    const { routine } = (await api.call('POST', '/api/routines', { body })).data;
    expect(routine).toMatchObject({ owner: { type: 'person', person: 'ann', agentId: null } });
    const key = await api.createKey(api.workspaceId, ['routines:write'], { actsFor: 'bob' });
    const change = { key, body: { document, actingFor: 'ann' } };
    const changed = await api.call('PATCH', `/api/routines/${routine.id}`, change);
    expect(changed.data.routine).toMatchObject({ version: 2, owner: routine.owner });
    const { resource } = (await call('GET', `/${routine.id}`)).data;
    expect(resource).toMatchObject({ kind: 'routine', owner: routine.owner });
    const { versions } = (await call('GET', `/${routine.id}/versions`)).data;
    // A key that acts for a person acts for nobody else.
    expect(versions.map(({ madeBy }) => madeBy?.person)).toEqual(['bob', 'ann']);
  });

  test('are stored and drawn when tasks lead back, and when a task has very many ways to it', async () => {
    const ways = [{ one: { when: '.a', then: 'continue' } }, { two: { when: '.b', then: 'choose0' } }];
    const switches = Array.from({ length: 20 }, (_, index) => ({ [`choose${index}`]: { switch: ways } }));
    const document = {
      document: { ...header, name: 'back' },
      do: [...switches, { last: { set: { a: 1 }, then: 'choose0' } }],
    };
    const { status, data } = await api.call('POST', '/api/routines', { body: { document } });
    expect(status).toBe(201);
    const { routine } = (await api.call('GET', `/api/routines/${data.routine.id}`)).data;
    expect(routine.mermaid.match(/"choose\d+"/g)).toHaveLength(20);
  });

  test('have one task without the document around it', async () => {
    const agentId = await createAgent();
    const task = { call: 'calculate', with: { expression: '20 + 22' } };
    const { id, attributes } = await create('single_step_routine', { agentId, name: 'answer', task });
    expect(attributes).toEqual({ agentId, namespace: 'default', name: 'answer', description: '', task });
    const body = { attributes: { description: 'The answer.', task: { set: { answer: 42 } } } };
    expect((await call('PATCH', `/${id}`, { body })).data.resource).toMatchObject({
      ...{
        kind: 'single_step_routine',
        version: 2,
        attributes: { name: 'answer', description: 'The answer.' },
      },
    });
    expect((await api.call('GET', `/api/routines/${id}`)).data).toMatchObject({
      routine: { summary: 'The answer.', document: { do: [{ answer: { set: { answer: 42 } } }] } },
    });
    const filters = encodeURIComponent(JSON.stringify({ agentId }));
    expect(await listNames(`kind=single_step_routine&filters=${filters}`)).toEqual(['answer']);
    expect(await listNames(`kind=routine&filters=${filters}`)).toEqual([]);
    const wrong = { attributes: { agentId, name: 'wrong', task: { nothing: {} } } };
    expectRefused(
      await call('POST', '', { body: { kind: 'single_step_routine', ...wrong } }),
      'INVALID_INPUT',
      400,
    );
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
