import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';

/**
 * Starts a durable agent with memory: its loop is a workflow, with a snapshot after each step because recovery is on.
 * @param {{ databaseUrl: string, model: object, tools: Record<string, object> }} options
 */
export async function startMastraAgent({ databaseUrl, model, tools }) {
  const storage = new PostgresStore({ id: 'bench', connectionString: databaseUrl });
  await storage.init();
  const agent = createDurableAgent({
    agent: new Agent({
      id: 'bench',
      name: 'bench',
      instructions: 'Call the tool three times, then answer.',
      model,
      tools,
      memory: new Memory({ storage }),
    }),
    cleanupTimeoutMs: 0,
  });
  const mastra = new Mastra({
    agents: { bench: agent },
    storage,
    logger: false,
    recovery: { durableAgents: 'auto' },
  });
  return { agent: mastra.getAgent('bench'), close: () => storage.close() };
}
