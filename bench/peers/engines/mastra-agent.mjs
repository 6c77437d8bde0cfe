import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';
import { z } from 'zod';
import { answerRound, callTool, userMessage } from '../turn-script.ts';

const usage = { inputTokens: 1000, outputTokens: 250, totalTokens: 1250 };

/**
 * A durable agent: its loop is a workflow, with a snapshot after each step because recovery is on. A conversation is a
 * thread of its memory.
 * @type {import('../contract.ts').StartPeer}
 */
export const start = async ({ databaseUrl }) => {
  const storage = new PostgresStore({ id: 'bench', connectionString: databaseUrl });
  await storage.init();
  const noOp = createTool({
    id: 'no_op',
    description: 'Does nothing.',
    inputSchema: z.object({ text: z.string() }),
    execute: () => Promise.resolve({ text: callTool().text }),
  });
  const agent = createDurableAgent({
    agent: new Agent({
      id: 'bench',
      name: 'bench',
      instructions: 'Call the tool three times, then answer.',
      model: createModel(),
      tools: { no_op: noOp },
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
    runTurn: async (conversationId) => {
      const { output, cleanup } = await registered.stream(userMessage.text, {
        memory: { thread: conversationId, resource: 'bench' },
      });
      const text = await output.text;
      cleanup();
      if (!text.endsWith(answerRound(3).text)) throw new Error(`a turn ended with "${text}"`);
    },
    close: () => storage.close(),
  };
};

/** A model that answers immediately, in the form of the AI SDK. */
function createModel() {
  return {
    specificationVersion: 'v2',
    provider: 'bench',
    modelId: 'no-op',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('agents stream')),
    doStream: ({ prompt }) => Promise.resolve({ stream: ReadableStream.from(toParts(prompt)) }),
  };
}

function* toParts(prompt) {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const round = prompt.slice(start).filter(({ role }) => role === 'assistant').length;
  const { text, toolCall } = answerRound(round);
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: '0' };
  yield { type: 'text-delta', id: '0', delta: text };
  yield { type: 'text-end', id: '0' };
  if (toolCall) {
    const { id, name } = toolCall;
    yield { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(toolCall.arguments) };
  }
  yield { type: 'finish', finishReason: toolCall ? 'tool-calls' : 'stop', usage };
}
