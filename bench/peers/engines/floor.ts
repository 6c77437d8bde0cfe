import pg from 'pg';
import { turnSteps } from '../../programs/contract.ts';
import type { StartPeer } from '../contract.ts';
import { callModel, callTool, userMessage, type ScriptedMessage } from '../turn-script.ts';

const poolSize = 20;

/** A loop without an engine: each step is a row that is stored before the next one begins. */
export const start: StartPeer = async ({ databaseUrl }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  await pool.query('CREATE TABLE steps (id bigserial PRIMARY KEY, conversation_id text, message jsonb)');
  return {
    runTurn: async (conversationId) => {
      const messages: ScriptedMessage[] = [userMessage];
      while (messages.length <= turnSteps) {
        const message = messages.at(-1)?.toolCall ? callTool() : callModel(messages);
        await pool.query({
          name: 'step',
          text: 'INSERT INTO steps (conversation_id, message) VALUES ($1, $2)',
          values: [conversationId, message],
        });
        messages.push(message);
      }
    },
    close: () => pool.end(),
  };
};
