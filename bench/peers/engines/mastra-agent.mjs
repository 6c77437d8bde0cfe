import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { startMastraAgent } from '../start-mastra-agent.mjs';
import { answerRound, callTool, userMessage } from '../turn-script.ts';

const usage = { inputTokens: 1000, outputTokens: 250, totalTokens: 1250 };

/**
 * A durable agent: its loop is a workflow, with a snapshot after each step because recovery is on. A conversation is a
 * thread of its memory.
 * @type {import('../contract.ts').StartPeer}
 */
export const start = async ({ databaseUrl }) => {
  const noOp = createTool({
    id: 'no_op',
    description: 'Does nothing.',
    inputSchema: z.object({ text: z.string() }),
    execute: () => Promise.resolve({ text: callTool().text }),
  });
  const { agent, close } = await startMastraAgent({
    databaseUrl,
    model: createModel(),
    tools: { no_op: noOp },
  });
  return {
    runTurn: async (conversationId) => {
      const { output, cleanup } = await agent.stream(userMessage.text, {
        memory: { thread: conversationId, resource: 'bench' },
      });
      const text = await output.text;
      cleanup();
      if (!text.endsWith(answerRound(3).text)) throw new Error(`a turn ended with "${text}"`);
    },
    close,
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
