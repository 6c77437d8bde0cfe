import { expect, test } from 'vitest';
import { createAgentRepository } from '../../../src/db/agents/agent-repository.ts';
import type { AgentChange, AgentInput } from '../../../src/domain/agent.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces, plainAgent } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const tool = {
  type: 'function' as const,
  name: 'calculate',
  description: '',
  schema: { type: 'object' },
  config: {},
};

function create(change: Partial<AgentInput> = {}) {
  return workspaces.inOwn((trx) => createAgentRepository(trx).createAgent({ ...plainAgent, ...change }));
}

function update(id: string, change: AgentChange) {
  return workspaces.inOwn((trx) => createAgentRepository(trx).updateAgent(id, change));
}

test('an update replaces the given fields and keeps the others', async () => {
  const agent = await create({ tools: [tool], limits: { maxIterations: 3 } });
  const changed = await update(agent.id, { name: 'Renamed', model: undefined });
  expect(changed).toMatchObject({ name: 'Renamed', model: 'demo', limits: { maxIterations: 3 }, version: 2 });
  expect(changed.tools).toEqual(agent.tools);
  expect(changed.createdAt).toBe(agent.createdAt);
  expect(changed.versionId).not.toBe(agent.versionId);
});

test('a tool keeps its id as long as it keeps its type and name', async () => {
  const agent = await create({ tools: [tool] });
  const changed = await update(agent.id, {
    tools: [
      { ...tool, name: 'other' },
      { ...tool, description: 'new' },
    ],
  });
  expect(changed.tools[1]?.id).toBe(agent.tools[0]?.id);
  expect(changed.tools[0]?.id).not.toBe(agent.tools[0]?.id);
});

test('a failed update stores no part of a version', async () => {
  const agent = await create();
  await expect(update(agent.id, { instructions: 'a\0' })).rejects.toThrow();
  const found = await workspaces.inOwn((trx) => createAgentRepository(trx).getAgent(agent.id));
  expect(found).toEqual(agent);
});

test('an agent is visible in its own workspace only, until it is deleted', async () => {
  const { id } = await create();
  const missing = { code: 'NOT_FOUND' };
  const acts: ((agents: ReturnType<typeof createAgentRepository>) => Promise<unknown>)[] = [
    (agents) => agents.getAgent(id),
    (agents) => agents.updateAgent(id, { name: 'x' }),
    (agents) => agents.deleteAgent(id),
  ];
  for (const act of acts) {
    await expect(workspaces.inForeign((trx) => act(createAgentRepository(trx)))).rejects.toMatchObject(
      missing,
    );
  }
  await workspaces.inOwn((trx) => createAgentRepository(trx).deleteAgent(id));
  const found = workspaces.inOwn((trx) => createAgentRepository(trx).getAgent(id));
  await expect(found).rejects.toMatchObject(missing);
});
