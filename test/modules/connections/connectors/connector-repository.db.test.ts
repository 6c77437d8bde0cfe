import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { createAgentConnectorRepository } from '../../../../src/modules/agents/connectors/agent-connector-repository.ts';
import { createAgentRepository } from '../../../../src/modules/agents/agent-repository.ts';
import { createConnectionRepository } from '../../../../src/modules/connections/connection-repository.ts';
import { createConnectorRepository } from '../../../../src/modules/connections/connectors/connector-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces, plainAgent } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);

/** A connector with its connection, in one transaction. */
async function create(trx: Knex, name: string, tools: string[]) {
  const { id } = await createConnectionRepository(trx).createConnection({
    id: newId(),
    name: `connector ${name}`,
    provider: 'mcp',
    ownerId: null,
    endpoint: 'https://example.com/mcp',
    auth: { type: 'bearer', token: '…last' },
    secrets: null,
  });
  return createConnectorRepository(trx).createConnector({ name, type: 'mcp', connectionId: id, tools });
}

test('the tools of a connector keep their order', async () => {
  const made = await workspaces.inOwn((trx) => create(trx, 'ordered', ['z', 'a', 'm']));
  expect(made).toMatchObject({
    tools: ['z', 'a', 'm'],
    endpoint: 'https://example.com/mcp',
    auth: { type: 'bearer', token: '…last' },
  });
  const found = await workspaces.inOwn((trx) => createConnectorRepository(trx).getConnector(made.id));
  expect(found).toEqual(made);
});

test('connectors of two workspaces may have the same names', async () => {
  await workspaces.inOwn((trx) => create(trx, 'both', ['in_both']));
  const theirs = await workspaces.inForeign((trx) => create(trx, 'both', ['in_both']));
  const missing = { code: 'NOT_FOUND' };
  const act = workspaces.inOwn((trx) => createConnectorRepository(trx).deleteConnector(theirs.id));
  await expect(act).rejects.toMatchObject(missing);
  const agent = await workspaces.inOwn((trx) => createAgentRepository(trx).createAgent(plainAgent));
  const attach = workspaces.inOwn((trx) => createAgentConnectorRepository(trx).attach(agent.id, theirs.id));
  await expect(attach).rejects.toMatchObject(missing);
  const names = await workspaces.inOwn((trx) =>
    createConnectorRepository(trx).findServerNames(['both', 'none']),
  );
  expect([...names]).toEqual(['both']);
});

test('connectors are listed page by page, newest first', async () => {
  for (const name of ['p1', 'p2', 'p3']) await workspaces.inOwn((trx) => create(trx, name, []));
  const list = (cursor?: string) =>
    workspaces.inOwn((trx) => createConnectorRepository(trx).listConnectors({ limit: 2, cursor }));
  const first = await list();
  expect(first.items.map(({ name }) => name)).toEqual(['p3', 'p2']);
  expect((await list(first.nextCursor ?? '')).items[0]?.name).toBe('p1');
});

test('a connector is attached once and is deleted with its connection', async () => {
  const agent = await workspaces.inOwn((trx) => createAgentRepository(trx).createAgent(plainAgent));
  const made = await workspaces.inOwn((trx) => create(trx, 'going', ['leaving']));
  const attached = await workspaces.inOwn(async (trx) => {
    const repository = createAgentConnectorRepository(trx);
    await repository.attach(agent.id, made.id);
    await repository.attach(agent.id, made.id);
    return repository.listAttached(agent.id);
  });
  expect(attached).toEqual([made]);
  await workspaces.inOwn((trx) => createConnectionRepository(trx).deleteConnection(made.connectionId));
  const left = await workspaces.inOwn((trx) => createAgentConnectorRepository(trx).listAttached(agent.id));
  expect(left).toEqual([]);
  const found = await workspaces.inOwn((trx) => createConnectorRepository(trx).findConnectors([made.id]));
  expect(found.size).toBe(0);
});
