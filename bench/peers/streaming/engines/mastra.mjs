import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { startMastraAgent } from '../../start-mastra-agent.mjs';
import { calculate, calculateDescription, calculateName } from '../calculate.ts';

/**
 * A durable agent: its loop is a workflow, with a snapshot after each step because recovery is on. A conversation is a
 * thread of its memory. Its stream comes from the memory of the process that runs the agent.
 * @type {import('../contract.ts').StartStreamingPeer}
 */
export const start = async ({ databaseUrl, modelUrl }) => {
  const tool = createTool({
    id: calculateName,
    description: calculateDescription,
    inputSchema: z.object({ expression: z.string() }),
    execute: (input) => Promise.resolve({ result: calculate(input) }),
  });
  const { agent, close } = await startMastraAgent({
    databaseUrl,
    model: createOpenAICompatible({ name: 'scale', baseURL: modelUrl }).chatModel('scale'),
    tools: { [calculateName]: tool },
  });
  return {
    runTurn: async ({ conversationId, message }, reader) => {
      const { fullStream, cleanup } = await agent.stream(message, {
        memory: { thread: conversationId, resource: 'bench' },
      });
      await showChunks(fullStream, reader);
      cleanup();
    },
    close,
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
