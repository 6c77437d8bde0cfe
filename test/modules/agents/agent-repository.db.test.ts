import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { createAgentRepository } from '../../../src/modules/agents/agent-repository.ts';
import type { AgentRevision } from '../../../src/modules/agents/agent-revision.ts';
import type { AgentDraft } from '../../../src/domain/agent.ts';
import type { ToolSettings } from '../../../src/domain/tool.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { recordStatements } from '../../labs/query-plans.ts';
import { openTwoWorkspaces, plainAgent } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const tool = {
  type: 'function' as const,
  name: 'calculate',
  description: '',
  schema: { type: 'object' },
  config: {},
};

function create(change: Partial<AgentDraft> = {}) {
  return workspaces.inOwn((trx) => createAgentRepository(trx).createAgent({ ...plainAgent, ...change }));
}

function update(id: string, change: AgentRevision) {
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

/** About 800 KB of tools. */
const largeTools = Array.from({ length: 8 }, (_, index) => ({
  ...tool,
  name: `large${index}`,
  schema: { type: 'object', description: 'x'.repeat(100_000) },
}));

/** The characters that the statements of a change send to Postgres. */
async function charactersOf(change: (trx: Knex) => Promise<unknown>): Promise<number> {
  const sent = await recordStatements(workspaces.database, workspaces.ownId, { trx: change });
  return sent.reduce((sum, { text, values }) => sum + text.length + JSON.stringify(values).length, 0);
}

test('a change that leaves the tools as they are does not send them again', async () => {
  const { id, tools } = await create({ tools: largeTools });
  expect(
    await charactersOf((trx) => createAgentRepository(trx).updateAgent(id, { name: 'Other' })),
  ).toBeLessThan(5_000);
  const toolId = tools[3]?.id ?? '';
  const change = { toolId, revise: () => ({ enabled: false }) };
  expect(await charactersOf((trx) => createAgentRepository(trx).reviseToolSettings(id, change))).toBeLessThan(
    5_000,
  );
});

test('the settings of one tool are replaced, and the other tools stay', async () => {
  const agent = await create({ tools: [tool, { ...tool, name: 'other', settings: { timeoutMs: 100 } }] });
  const [first, second] = agent.tools;
  const revise = (toolId: string | undefined, settings: ToolSettings) =>
    workspaces.inOwn((trx) =>
      createAgentRepository(trx).reviseToolSettings(agent.id, {
        toolId: toolId ?? '',
        revise: () => settings,
      }),
    );
  await revise(first?.id, { enabled: false });
  const changed = await revise(second?.id, { timeoutMs: 200 });
  expect(changed.version).toBe(3);
  expect(changed.tools).toEqual([
    { ...first, settings: { enabled: false } },
    { ...second, settings: { timeoutMs: 200 } },
  ]);
  await expect(revise('unknown', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a page of large agents or versions ends after some megabytes, and the next one goes on', async () => {
  const { id } = await create({ tools: largeTools });
  for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) await update(id, { name });
  const list = (cursor?: string) =>
    workspaces.inOwn((trx) => createAgentRepository(trx).listVersions({ agentId: id, limit: 100, cursor }));
  const first = await list();
  expect(first.items.map(({ version }) => version)).toEqual([8, 7, 6, 5, 4, 3]);
  const second = await list(first.nextCursor ?? '');
  expect(second).toMatchObject({ items: [{ version: 2 }, { version: 1 }], nextCursor: null });
  for (let index = 0; index < 6; index += 1) await create({ tools: largeTools, name: `Large ${index}` });
  const agents = await workspaces.inOwn((trx) => createAgentRepository(trx).listAgents({ limit: 100 }));
  expect(agents.items).toHaveLength(6);
  expect(agents.nextCursor).toBe(agents.items[5]?.id);
});

test('tools that are too large together are refused', async () => {
  const tools = Array.from({ length: 11 }, (_, part) =>
    largeTools.map((large) => ({ ...large, name: `${large.name}x${part}` })),
  ).flat();
  await expect(create({ tools })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ field: 'tools' }],
  });
});
