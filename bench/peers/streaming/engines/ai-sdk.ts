import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, streamText, tool } from 'ai';
import pg from 'pg';
import { z } from 'zod';
import { calculate, calculateDescription } from '../calculate.ts';
import type { StartStreamingPeer } from '../contract.ts';

const poolSize = 20;
const mostSteps = 10;

/** The loop of the AI SDK. With the setting `inserts` it stores each answer and each result of a tool as a row. */
export const start: StartStreamingPeer = async ({ modelUrl, databaseUrl, settings }) => {
  const model = createOpenAICompatible({ name: 'scale', baseURL: modelUrl }).chatModel('scale');
  const { store, close } = settings['inserts'] === undefined ? keepNothing : await openTable(databaseUrl);
  return {
    runTurn: async ({ conversationId, message }, reader) => {
      const { stream } = streamText({
        model,
        prompt: message,
        tools: {
          calculate: tool({
            description: calculateDescription,
            inputSchema: z.object({ expression: z.string() }),
            execute: async (input) => {
              const result = calculate(input);
              await store(conversationId, { result });
              return result;
            },
          }),
        },
        stopWhen: isStepCount(mostSteps),
        onStepEnd: ({ text, toolCalls }) => store(conversationId, { text, toolCalls }),
        // A failure comes as a part of the stream.
        onError: () => undefined,
      });
      let text = '';
      for await (const part of stream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-delta') {
          text += part.text;
          reader.piece(part.text);
        }
        if (part.type === 'finish-step') {
          reader.message(text);
          text = '';
        }
      }
    },
    close,
  };
};

const keepNothing = { store: () => Promise.resolve(), close: () => Promise.resolve() };

async function openTable(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: poolSize });
  await pool.query('CREATE TABLE steps (id bigserial PRIMARY KEY, conversation_id text, step jsonb)');
  return {
    store: async (conversationId: string, step: object) => {
      await pool.query({
        name: 'step',
        text: 'INSERT INTO steps (conversation_id, step) VALUES ($1, $2)',
        values: [conversationId, step],
      });
    },
    close: () => pool.end(),
  };
}
