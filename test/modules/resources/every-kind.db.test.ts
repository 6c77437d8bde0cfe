import { expect, test } from 'vitest';
import { resourceKinds } from '../../../src/modules/resources/resource-kinds.ts';
import { plainAgent } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { expectRefused, openResourceApi } from '../../labs/resource-api.ts';

const api = openForTests(async () => {
  const started = await shareApi();
  return { ...started, close: started.stop };
});

const { call, create, listNames } = openResourceApi(() => api);

const task = { set: { done: true } };
const document = (name: string, more: object = {}) => ({
  document: { dsl: '1.0.0', namespace: 'kinds', name, version: '1.0.0', ...more },
  do: [{ one: task }, { two: task }],
});

interface KindCase {
  /** The attributes of a new resource, whose name is `numbat`, but for those that need the id of an agent. */
  attributes: object;
  /** The field with the id of an agent. */
  agent?: (agentId: string) => object;
  /** The change of an update. */
  change: object;
}

const kinds: Record<string, KindCase> = {
  note: { attributes: { content: 'Termites.' }, change: { content: 'Ants.' } },
  prompt: {
    attributes: { text: 'Greet {{name}}.', variables: [{ name: 'name' }] },
    change: { tags: ['hello'] },
  },
  standard: { attributes: { schema: { type: 'object' } }, change: { schema: { type: 'array' } } },
  project: { attributes: { goal: 'Count.' }, change: { status: 'done' } },
  team: {
    attributes: { goal: 'Count.' },
    agent: (agentId) => ({ members: [{ agentId, role: 'counts' }] }),
    change: { goal: 'Count again.' },
  },
  agent: { attributes: { model: 'demo', instructions: 'Count.' }, change: { instructions: 'Count again.' } },
  routine: {
    attributes: { document: document('numbat') },
    agent: (agentId) => ({ agentId }),
    change: { document: document('numbat', { summary: 'Counts.' }) },
  },
  single_step_routine: {
    attributes: { task },
    agent: (agentId) => ({ agentId }),
    change: { task: { set: { done: false } } },
  },
  api: { attributes: { url: 'https://count.example/api' }, change: { notes: 'Slowly.' } },
};

test('every kind has a case here, but for memories', () => {
  const names = resourceKinds.map(({ kind }) => kind).filter((kind) => kind !== 'memory');
  expect(Object.keys(kinds).toSorted()).toEqual(names.toSorted());
});

test.each(Object.entries(kinds))(
  'a resource of the kind %s is created, found, changed, deleted and restored',
  async (kind, { attributes, agent, change }) => {
    const agentId = (await api.call('POST', '/api/agents', { body: plainAgent })).data.agent.id;
    // The name of a routine is that of its document.
    const named = kind === 'routine' ? {} : { name: 'numbat' };
    const created = await create(kind, { ...named, ...attributes, ...agent?.(agentId) });
    expect(created).toMatchObject({
      kind,
      name: 'numbat',
      version: 1,
      owner: { type: 'key' },
      deletedAt: null,
    });
    const { id } = created;
    expect(await listNames(`kind=${kind}&query=numbat`)).toEqual(['numbat']);

    const changed = await call('PATCH', `/${id}`, { body: { attributes: change, version: 1 } });
    expect(changed.data.resource).toMatchObject({ version: 2, attributes: change, owner: created.owner });
    expectRefused(
      await call('PATCH', `/${id}`, { body: { attributes: change, version: 1 } }),
      'CONFLICT',
      409,
    );
    const { versions } = (await call('GET', `/${id}/versions`)).data;
    expect(versions.map(({ version, madeBy }) => [version, madeBy?.type])).toEqual([
      [2, 'key'],
      [1, 'key'],
    ]);

    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    expectRefused(await call('GET', `/${id}`), 'NOT_FOUND', 404);
    expect(await listNames(`kind=${kind}&query=numbat`)).toEqual([]);
    expect(await listNames(`kind=${kind}&query=numbat&deleted=true`)).toEqual(['numbat']);
    expect((await call('POST', `/${id}/restore`)).data.resource).toMatchObject({ deletedAt: null });
    expect((await call('GET', `/${id}`)).data.resource.attributes).toMatchObject(change);
    await call('DELETE', `/${id}`);
  },
);
