import pg from 'pg';
import { createHoldfastClient, type HoldfastClient } from '../../src/clients/client/index.ts';
import { newId } from '../../src/platform/lib/ids.ts';

interface Filling {
  origin: string;
  apiKey: string;
  databaseUrl: string;
  /** How many turns the workspace gets. */
  turns: number;
  /** How many events one turn gets. */
  events: number;
}

/** Fills the workspace of a key with copies of one turn, and returns the id of a turn with many events. */
export async function fillWorkspace({
  origin,
  apiKey,
  databaseUrl,
  turns,
  events,
}: Filling): Promise<string> {
  const client = createHoldfastClient({ baseUrl: origin, apiKey });
  const long = await runTurn(client);
  const copied = await runTurn(client);
  const database = new pg.Client(databaseUrl);
  await database.connect();
  try {
    await database.query('SET ROLE holdfast_system');
    await database.query(
      `SELECT set_config('holdfast.workspace_id', workspace_id::text, false) FROM turns WHERE id = $1`,
      [long],
    );
    await copyTurn(database, copied, turns);
    await addSteps(database, long, events);
    await database.query('RESET ROLE; ANALYZE turns, events');
  } finally {
    await database.end();
  }
  return long;
}

async function runTurn(client: HoldfastClient): Promise<string> {
  const { items } = await client.agents.list();
  const conversation = await client.conversations.create({ agentId: items[0]?.id ?? '' });
  const turn = await client.turns.start({ conversationId: conversation.id, message: 'What is 6 * 7?' });
  await client.turns.wait(turn.id);
  return turn.id;
}

async function copyTurn(database: pg.Client, turnId: string, count: number): Promise<void> {
  await database.query(
    `INSERT INTO turns SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'message_id', null,
       'ordinal', 10 + n, 'created_at', t.created_at - n * interval '1 second'))).*
     FROM turns t, generate_series(1, $2::int) AS n WHERE t.id = $1`,
    [turnId, count],
  );
}

/** Each step is an answer with one tool call, in three events. */
async function addSteps(database: pg.Client, turnId: string, count: number): Promise<void> {
  const usage = {
    inputTokens: 9,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 9,
    reasoningTokens: 0,
  };
  const events = Array.from({ length: Math.ceil(count / 3) }, (_, index) => {
    const iteration = 10 + index;
    const call = { toolCallId: newId(), iteration, index: 0, name: 'calculate' };
    const asked = { ...call, type: 'function', arguments: { expression: `${index} * 7` } };
    const text = `Step ${index}: I calculate **${index} * 7**.`;
    const message = { messageId: newId(), iteration, text, model: 'demo', usage, toolCalls: [asked] };
    return [
      { type: 'message.created', payload: message },
      { type: 'tool.started', payload: { ...call, attempt: 1 } },
      { type: 'tool.executed', payload: { ...call, durationMs: 12, resultPreview: String(index * 7) } },
    ];
  }).flat();
  await database.query(
    `WITH last AS (DELETE FROM events WHERE turn_id = $1 AND type = 'turn.settled' RETURNING conversation_id, type, payload)
     SELECT append_events(conversation_id, $1, $2::jsonb || jsonb_build_array(jsonb_build_object('type', type, 'payload', payload)), 0)
     FROM last`,
    [turnId, JSON.stringify(events)],
  );
}
