import { expect, test } from 'vitest';
import { prepareTools } from '../../../../src/modules/agents/tools/prepare-tools.ts';
import { createAgentRepository } from '../../../../src/modules/agents/agent-repository.ts';
import { createConnectionRepository } from '../../../../src/modules/connections/connection-repository.ts';
import { createKnowledgeBaseRepository } from '../../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import { knowledgeBaseInputSchema } from '../../../../src/domain/knowledge.ts';
import type { ToolInput } from '../../../../src/domain/tool.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces, plainAgent } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const parts = { description: '', schema: { type: 'object' } };
const fail = () => Promise.reject(new Error('expected no call'));

/** Tools that name a connection, a knowledge base and an agent of their own each. */
function createTools(index: number): Promise<ToolInput[]> {
  return workspaces.inOwn(async (trx) => {
    const connection = await createConnectionRepository(trx).createConnection({
      ...{ id: newId(), name: `connection ${index}`, provider: 'search', ownerId: null },
      ...{ endpoint: null, auth: {}, secrets: null },
    });
    const base = await createKnowledgeBaseRepository(trx).createKnowledgeBase(
      knowledgeBaseInputSchema.parse({ name: `base ${index}` }),
    );
    const agent = await createAgentRepository(trx).createAgent({ ...plainAgent, name: `Agent ${index}` });
    const config = { connectionId: connection.id, knowledgeBaseId: base.id };
    return [
      { ...parts, type: 'function', name: `function${index}`, config },
      { ...parts, type: 'agent', name: `agent${index}`, config: { agentId: agent.id } },
      {
        ...parts,
        type: 'mcp',
        name: `gateway${index}`,
        config: { gateway: true, servers: [connection.name] },
      },
    ];
  });
}

/** Checks tools, and counts the statements that this takes. */
async function prepare(tools: ToolInput[], scopes: Scope[] = ['knowledge:read']) {
  let statements = 0;
  const { database, ownId: workspaceId } = workspaces;
  const counting: typeof database = {
    ...database,
    inWorkspace: (id, run) =>
      database.inWorkspace(id, (trx) => {
        trx.on('query', () => (statements += 1));
        return run(trx);
      }),
  };
  const discovery = { listConnectionTools: fail, testConnection: fail };
  const workflowTypes = { find: () => Promise.resolve(null), list: () => Promise.resolve([]) };
  const dependencies = { database: counting, discovery, workflowTypes, logger: undefined as never };
  const prepared = await prepareTools(dependencies, { workspaceId, scopes }, { tools });
  return { prepared, statements };
}

test('a thousand tools are checked with as many statements as three of them', async () => {
  const few = await createTools(0);
  const many = [...few];
  for (let index = 1; index < 334; index += 1) many.push(...(await createTools(index)));
  const { prepared, statements } = await prepare(many);
  expect(prepared).toHaveLength(1_002);
  expect(prepared.at(-2)?.input.config).toMatchObject({ agentName: 'Agent 333' });
  expect(statements).toBe((await prepare(few)).statements);
});

test('a tool that searches a knowledge base is refused for a key that may not read it', async () => {
  const tools = await createTools(999);
  await expect(prepare(tools, ['agents:write'])).rejects.toMatchObject({
    code: 'FORBIDDEN',
    details: { missingScopes: ['knowledge:read'] },
  });
});

test('the first tool that names nothing of the workspace is told', async () => {
  const [named, ...others] = await createTools(1_000);
  const config = { connectionId: newId(), provider: 'mcp' };
  const foreign: ToolInput = { ...parts, type: 'mcp', name: 'foreign', config };
  const tools = [...(named ? [named] : []), foreign, ...others];
  await expect(prepare(tools)).rejects.toMatchObject({ code: 'CONNECTION_ACCESS_DENIED' });
  const agent: ToolInput = { ...parts, type: 'agent', name: 'asked', config: { agentId: 'no id' } };
  await expect(prepare([agent])).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ field: 'tools.0.config.agentId' }],
  });
});
