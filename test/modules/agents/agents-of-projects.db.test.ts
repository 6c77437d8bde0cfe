import { beforeAll, expect, test } from 'vitest';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

function create(change: object) {
  return api.call('POST', '/api/agents', { body: { ...plainAgent, ...change } });
}

test('an agent of a project has a name of its own, also when several are created at once', async () => {
  const body = { name: 'Of a project', project: 'shop' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const agent = answers.find(({ status }) => status === 201)?.data.agent;
  expect(agent?.project).toBe('shop');
  expect(answers.find(({ status }) => status === 409)?.error).toMatchObject({
    code: 'CONFLICT',
    details: { agentId: agent?.id },
  });
  const path = `/api/agents/${agent?.id}`;
  expect((await api.call('PATCH', path, { body: { name: 'Renamed' } })).data.agent.project).toBe('shop');
  expect((await create(body)).status).toBe(201);
});

test('agents that are made without a project may share a name, and have no project', async () => {
  const [one, other] = [await create({ name: 'Twin' }), await create({ name: 'Twin' })];
  expect([one.status, other.status, one.data.agent.project]).toEqual([201, 201, null]);
});

test('the name of a deleted agent is free', async () => {
  const body = { name: 'Deleted', project: 'shop' };
  const { agent } = (await create(body)).data;
  await api.call('DELETE', `/api/agents/${agent.id}`);
  expect((await create(body)).status).toBe(201);
});

test('of several changes of the same version one is made, and the others are told the present version', async () => {
  const { agent } = (await create({})).data;
  const path = `/api/agents/${agent.id}`;
  const changes = Array.from({ length: 4 }, (_, index) =>
    api.call('PATCH', path, { body: { version: 1, instructions: `Change ${index}.` } }),
  );
  const answers = await Promise.all(changes);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.error).toMatchObject({
    code: 'CONFLICT',
    message: `The agent ${agent.id} has version 2, not 1. Read it again and repeat the change.`,
    details: { version: 2 },
  });
  expect((await api.call('GET', path)).data.agent.version).toBe(2);
  expect((await api.call('PATCH', path, { body: { version: 2 } })).status).toBe(400);
});

test('an agent is not deleted when it has another version than the caller has seen', async () => {
  const { agent } = (await create({})).data;
  const path = `/api/agents/${agent.id}`;
  await api.call('PATCH', path, { body: { instructions: 'Changed.' } });
  expect((await api.call('DELETE', `${path}?version=1`)).error.code).toBe('CONFLICT');
  expect((await api.call('DELETE', `${path}?version=2`)).status).toBe(200);
  expect((await api.call('DELETE', `${path}?version=2`)).error.code).toBe('NOT_FOUND');
});

test('the fields of rules and of a provisioning mean the same in both spellings', async () => {
  const rules = {
    tool_allowlist: ['calculate'],
    toolPolicies: { calculate: { maxCallsPerTurn: 2 } },
    for_later: ['calculate'],
    canary_tokens: ['canary-12345'],
    on_blocked: 'end_turn',
  };
  const stored = {
    toolAllowlist: ['calculate'],
    toolPolicies: { calculate: { maxCallsPerTurn: 2 } },
    forLater: ['calculate'],
    canaryTokens: ['canary-12345'],
    onBlocked: 'end_turn',
  };
  const { agent } = (await create({ rules })).data;
  expect(agent.rules).toEqual(stored);
  const path = `/api/agents/${agent.id}`;
  const changed = await api.call('PATCH', path, {
    body: { rules: { tool_allowlist: ['other'], for_later: ['other'] } },
  });
  expect(changed.data.agent.rules.toolAllowlist).toEqual(['other']);
  const provisioning = { ...rules, on_blocked: undefined, config: { onBlocked: 'end_turn' } };
  for (const body of [
    provisioning,
    { ...stored, onBlocked: undefined, config: { on_blocked: 'end_turn' } },
  ]) {
    await api.call('PATCH', path, { body: { rules: {} } });
    expect((await api.call('POST', `${path}/provision`, { body })).data.agent.rules).toEqual(stored);
  }
});

test('a field that is given in both spellings is refused', async () => {
  const rules = { toolAllowlist: ['a'], tool_allowlist: ['b'] };
  const { status, error } = await create({ rules });
  expect(status).toBe(400);
  expect(error.details).toEqual([
    {
      field: 'rules.tool_allowlist',
      message: 'is toolAllowlist in another spelling: expected one of them',
    },
  ]);
});
