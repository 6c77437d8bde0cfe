import pg from 'pg';

interface Growth {
  conversationId: string;
  /** The wanted number of turns. The conversation has one settled turn before. */
  turns: number;
}

// The audit chain is left out: it belongs to the workspace, and nothing reads it during a turn.
const statements = `
CREATE TEMP TABLE copies ON COMMIT DROP AS
SELECT gen_random_uuid() AS id, ordinal FROM generate_series(2, :turns) AS ordinal;

INSERT INTO turns SELECT (jsonb_populate_record(t, jsonb_build_object('id', copies.id, 'ordinal', copies.ordinal,
    'characters_before', (copies.ordinal - 1) * c.characters))).*
  FROM turns t JOIN conversations c ON c.id = t.conversation_id, copies
  WHERE t.conversation_id = :conversation AND t.ordinal = 1;

INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(),
    'turn_id', copies.id, 'turn_ordinal', copies.ordinal))).*
  FROM messages m, copies WHERE m.conversation_id = :conversation AND m.turn_ordinal = 1;

INSERT INTO usage SELECT (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(), 'turn_id', copies.id))).*
  FROM turns t JOIN usage u ON u.turn_id = t.id, copies WHERE t.conversation_id = :conversation AND t.ordinal = 1;

INSERT INTO tool_calls SELECT (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(),
    'turn_id', copies.id, 'turn_ordinal', copies.ordinal, 'key', gen_random_uuid()))).*
  FROM tool_calls k, copies WHERE k.conversation_id = :conversation AND k.turn_ordinal = 1;

INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object('turn_id', copies.id,
    'seq', e.seq + (copies.ordinal - 1) * c.last_event_seq))).*
  FROM events e JOIN conversations c ON c.id = e.conversation_id, copies WHERE e.conversation_id = :conversation;

UPDATE conversations SET last_turn_ordinal = :turns, last_event_seq = last_event_seq * :turns,
  characters = characters * :turns WHERE id = :conversation;`;

/** Grows a conversation quickly by copying its first turn in all tables that hold rows of turns. */
export async function growConversation(databaseUrl: string, growth: Growth): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const conversation = `${client.escapeLiteral(growth.conversationId)}::uuid`;
    await client.query('BEGIN; SET LOCAL ROLE holdfast_system');
    await client.query(
      statements.replaceAll(':turns', String(growth.turns)).replaceAll(':conversation', conversation),
    );
    await client.query('COMMIT');
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}
