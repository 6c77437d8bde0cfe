import { beforeAll, expect, test } from 'vitest';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { openResourceApi } from '../../labs/resource-api.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
const resources = openResourceApi(() => api);

const warning = {
  field: 'execution',
  message: '"fast" is accepted until the next release, and means "direct"',
};

/** Calls the API, and returns the agent of the answer. */
async function save(method: string, path: string, body: object) {
  const { status, data, error } = await api.call(method, `/api/agents${path}`, { body });
  expect({ error, isSaved: status < 300 }).toEqual({ error: undefined, isSaved: true });
  return data.agent;
}

test('an agent that asks for "fast" is stored as "direct", and the answer warns', async () => {
  const agent = await save('POST', '', { ...plainAgent, execution: 'fast' });
  expect(agent).toMatchObject({ execution: 'direct' });
  expect(agent.warnings).toContainEqual(warning);
  const found = await api.call('GET', `/api/agents/${agent.id}`);
  expect(found.data.agent.execution).toBe('direct');
  expect(found.data.agent.warnings ?? []).not.toContainEqual(warning);

  await save('PATCH', `/${agent.id}`, { execution: 'inspectable' });
  const changed = await save('PATCH', `/${agent.id}`, { execution: 'fast' });
  expect(changed).toMatchObject({ version: 3, execution: 'direct' });
  expect(changed.warnings).toContainEqual(warning);
  const other = await save('PATCH', `/${agent.id}`, { name: 'Other' });
  expect(other.warnings ?? []).not.toContainEqual(warning);
});

test('a provisioning that asks for "fast" is stored as "direct", and the answer warns', async () => {
  const agent = await save('POST', '', plainAgent);
  const provisioned = await save('POST', `/${agent.id}/provision`, { config: { execution: 'fast' } });
  expect(provisioned).toMatchObject({ version: 2, execution: 'direct' });
  expect(provisioned.warnings).toContainEqual(warning);
});

test('a resource of the kind "agent" that asks for "fast" has "direct"', async () => {
  const { attributes } = await resources.create('agent', { ...plainAgent, execution: 'fast' });
  expect(attributes).toMatchObject({ execution: 'direct' });
});
