import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';
import { connectDatabase, type Database } from '../../src/platform/database/connect-database.ts';
import { migrateDatabase } from '../../src/platform/database/migrate.ts';
import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import { scopes } from '../../src/domain/scope.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { Seed } from '../programs/contract.ts';
import { noOpTool } from './no-op-tool.ts';

/** The model of the agents, and their tool where they have one. */
export interface SeededAgent {
  model: string;
  tool?: ToolInput;
}

const noOpAgent: SeededAgent = { model: 'demo', tool: noOpTool };

/** Makes the tables, a workspace, a key and an agent for each way to run the steps. */
export async function seedDatabase(databaseUrl: string, seeded = noOpAgent): Promise<Seed> {
  await migrateDatabase(databaseUrl);
  const database = connectDatabase({ url: databaseUrl });
  try {
    const workspaceId = newId();
    await database.system('workspaces').insert({ id: workspaceId, name: 'bench' });
    const keyId = newId();
    const { text, secretHash } = createApiKeyText(keyId);
    await createApiKeyRepository(database.system).createApiKey({
      id: keyId,
      name: 'bench',
      secretHash,
      scopes,
      workspaceId,
    });
    const agents = await Promise.all(
      executionModes.map(async (execution) => [
        execution,
        await createAgent({ database, workspaceId, execution, ...seeded }),
      ]),
    );
    return { workspaceId, apiKey: text, agentIds: Object.fromEntries(agents) as Seed['agentIds'] };
  } finally {
    await database.close();
  }
}

interface AgentOrder extends SeededAgent {
  database: Database;
  workspaceId: string;
  execution: ExecutionMode;
}

async function createAgent({ database, workspaceId, execution, model, tool }: AgentOrder): Promise<string> {
  const agent = await database.inWorkspace(workspaceId, (trx) =>
    createAgentRepository(trx).createAgent({
      ...{ name: execution, model, tools: tool ? [tool] : [], execution, limits: {} },
      instructions: 'Call the tool three times, then answer.',
    }),
  );
  return agent.id;
}
