import type { Knex } from 'knex';
import type { ApprovalMode } from '../../src/domain/approval.ts';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { migrateDatabase } from '../../src/platform/database/migrate.ts';
import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { scopes } from '../../src/domain/scope.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';
import { createWorkspace } from '../../src/modules/workspaces/create-workspace.ts';
import { shopSchema, shopTools } from './shop.ts';

/** The agents of one kind, by the way in which their steps run. */
export type Agents = Record<ExecutionMode, string>;

/** A workspace with a key and its agents. */
export interface WorldSeed {
  apiKey: string;
  agentIds: Agents;
  /** Agents whose calls wait for approvals, unless they only read. */
  askingAgentIds: Agents;
}

/** The tools of the shop as an agent has them; calls of those that change something are approved as the mode says. */
export function createShopTools(approval: ApprovalMode) {
  return Object.entries(shopTools).map(([name, effect]) => ({
    name,
    description: `Can ${name} an order.`,
    type: 'mcp' as const,
    schema: shopSchema,
    config: { server: 'shop' },
    // Longer than the slowest tool takes on a busy machine.
    settings: { effect, timeoutMs: 90_000, approval: effect === 'read_only' ? 'never' : approval },
  }));
}

/** Makes the tables, a workspace, a key and the agents. */
export async function seedWorld(databaseUrl: string): Promise<WorldSeed> {
  await migrateDatabase(databaseUrl);
  const database = connectDatabase({ url: databaseUrl });
  try {
    const { id: workspaceId } = await createWorkspace({ database }, 'faults');
    const keyId = newId();
    const { text, secretHash } = createApiKeyText(keyId);
    const key = { id: keyId, name: 'faults', secretHash, scopes, workspaceId };
    await createApiKeyRepository(database.system).createApiKey(key);
    const create = (approval: ApprovalMode) =>
      database.inWorkspace(workspaceId, (trx) => createAgents(trx, createShopTools(approval)));
    return { apiKey: text, agentIds: await create('never'), askingAgentIds: await create('ask') };
  } finally {
    await database.close();
  }
}

async function createAgents(trx: Knex, tools: ToolInput[]): Promise<Agents> {
  const agents: [ExecutionMode, string][] = [];
  for (const execution of executionModes) {
    const agent = await createAgentRepository(trx).createAgent({
      name: execution,
      model: 'compatible/faults',
      instructions: 'Pay, book and look, then answer.',
      tools,
      limits: {},
      execution,
    });
    agents.push([execution, agent.id]);
  }
  return Object.fromEntries(agents) as Agents;
}
