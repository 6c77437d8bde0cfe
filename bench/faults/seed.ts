import { connectDatabase } from '../../src/db/connect-database.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { createAgentRepository } from '../../src/db/agents/agent-repository.ts';
import { createApiKeyRepository } from '../../src/db/workspaces/api-key-repository.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { scopes } from '../../src/domain/api-key.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { newId } from '../../src/lib/ids.ts';
import { createApiKeyText } from '../../src/workspaces/api-key-text.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { shopTools } from './shop.ts';

/** A workspace with a key and an agent for each way to run the steps. */
export interface WorldSeed {
  apiKey: string;
  agentIds: Record<ExecutionMode, string>;
}

const tools = Object.entries(shopTools).map(([name, effect]): ToolInput => ({
  name,
  description: `Can ${name} an order.`,
  type: 'mcp',
  schema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  config: { server: 'shop' },
  settings: { effect },
}));

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
    const agents = executionModes.map(async (execution) => {
      const agent = await database.inWorkspace(workspaceId, (trx) =>
        createAgentRepository(trx).createAgent({
          name: execution,
          model: 'compatible/faults',
          instructions: 'Pay, book and look, then answer.',
          tools,
          limits: {},
          execution,
        }),
      );
      return [execution, agent.id] as const;
    });
    return { apiKey: text, agentIds: Object.fromEntries(await Promise.all(agents)) as WorldSeed['agentIds'] };
  } finally {
    await database.close();
  }
}
