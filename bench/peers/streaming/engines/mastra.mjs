import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';
import { z } from 'zod';
import { calculate, calculateDescription, calculateName } from '../calculate.ts';

/**
 * A durable agent: its loop is a workflow, with a snapshot after each step because recovery is on. A conversation is a
 * thread of its memory. Its stream comes from the memory of the process that runs the agent.
 * @type {import('../contract.ts').StartStreamingPeer}
 */
export const start = async ({ databaseUrl, modelUrl }) => {
  const storage = new PostgresStore({ id: 'bench', connectionString: databaseUrl });
  await storage.init();
  const tool = createTool({
    id: calculateName,
    description: calculateDescription,
    inputSchema: z.object({ expression: z.string() }),
    execute: (input) => Promise.resolve({ result: calculate(input) }),
  });
  const agent = createDurableAgent({
    agent: new Agent({
      id: 'bench',
      name: 'bench',
      instructions: 'Call the tool three times, then answer.',
      model: createOpenAICompatible({ name: 'scale', baseURL: modelUrl }).chatModel('scale'),
      tools: { [calculateName]: tool },
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
  const registered = mastra.getAgent('bench');
  return {
    runTurn: async ({ conversationId, message }, reader) => {
      const { fullStream, cleanup } = await registered.stream(message, {
        memory: { thread: conversationId, resource: 'bench' },
      });
      await showChunks(fullStream, reader);
      cleanup();
    },
    close: () => storage.close(),
  };
};

async function showChunks(chunks, reader) {
  let text = '';
  for await (const { type, payload } of chunks) {
    if (type === 'error') throw payload.error;
    if (type === 'text-delta') {
      text += payload.text;
      reader.piece(payload.text);
    }
    if (type === 'step-finish') {
      reader.message(text);
      text = '';
    }
  }
}
