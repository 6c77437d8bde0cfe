import type { Knex } from 'knex';
import { toPersonKey } from '../domain/person.ts';

/** Programs that do not know the columns show nobody's rows to anybody: their transactions name no person. */
export const isCompatible = true;

/**
 * The settings of a transaction: `holdfast.person` is the normal form of the name of the only person whose rows it sees,
 * and with `holdfast.decides` it sees besides which tool calls wait for approval. Without a person it sees its workspace.
 */
const settings = `
CREATE FUNCTION current_person() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('holdfast.person', true), '') $$;
CREATE FUNCTION current_decides() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT current_setting('holdfast.decides', true) = 'on' $$;
`;

/**
 * `person` is the normal form of the name of the person to whom a row belongs; null for the workspace alone. A conversation is
 * shared with the people in \`shared_with\`, and with everybody when that holds an empty name.
 */
const columns = `
ALTER TABLE conversations ADD COLUMN shared_with text[] NOT NULL DEFAULT '{}';
CREATE INDEX conversations_shared ON conversations (workspace_id, id) WHERE cardinality(shared_with) > 0;
ALTER TABLE blobs ADD COLUMN person text;
ALTER TABLE swarms ADD COLUMN person text;
ALTER TABLE schedules ADD COLUMN person text;
ALTER TABLE triggers ADD COLUMN person text;
`;

/** The name of the person to whom the rows of each table belong. */
const names: Record<string, string> = {
  blobs: `created_by ->> 'actingFor'`,
  swarms: `started_by ->> 'actingFor'`,
  schedules: `coalesce(created_by ->> 'actingFor', changed_by ->> 'actingFor', action ->> 'actingFor')`,
  triggers: `coalesce(created_by ->> 'actingFor', changed_by ->> 'actingFor')`,
};

/** What belongs to a person, or stands in another row that the person sees: policies hold inside these conditions too. */
const ofPerson = 'person = (SELECT current_person())';
const inside = (row: string, column: string) =>
  `EXISTS (SELECT FROM ${row} AS above WHERE above.id = ${column})`;
const usedInTurn = `EXISTS (SELECT FROM file_uses u JOIN turns t ON t.id = u.turn_id
  WHERE u.workspace_id = blobs.workspace_id AND u.file_id = blobs.id)`;

/** What a person sees of each table. */
const conditions: Record<string, string> = {
  conversations: `${ofPerson} OR shared_with && ARRAY[(SELECT current_person()), '']`,
  turns: inside('conversations', 'turns.conversation_id'),
  messages: inside('conversations', 'messages.conversation_id'),
  compactions: inside('conversations', 'compactions.conversation_id'),
  tool_calls: inside('conversations', 'tool_calls.conversation_id'),
  pending_actions: `kind = 'approval' AND (SELECT current_decides())
    OR ${inside('conversations', 'pending_actions.conversation_id')}`,
  approval_grants: `(SELECT current_decides()) OR scope = 'conversation' AND ${inside('conversations', 'approval_grants.scope_id')}`,
  events: inside('conversations', 'events.conversation_id'),
  stream_chunks: inside('conversations', 'stream_chunks.conversation_id'),
  replay_cases: inside('conversations', 'replay_cases.conversation_id'),
  replay_runs: inside('conversations', 'replay_runs.conversation_id'),
  routine_runs: inside('conversations', 'routine_runs.conversation_id'),
  routine_steps: inside('routine_runs', 'routine_steps.run_id'),
  blobs: `${ofPerson} OR ${inside('turns', 'blobs.turn_id')} OR ${usedInTurn}`,
  blob_pieces: inside('blobs', 'blob_pieces.blob_id'),
  file_texts: inside('blobs', 'file_texts.file_id'),
  swarms: `${ofPerson} OR ${inside('conversations', 'swarms.parent_conversation_id')}`,
  swarm_subtasks: inside('swarms', 'swarm_subtasks.swarm_id'),
  swarm_blackboard: inside('swarms', 'swarm_blackboard.swarm_id'),
  swarm_turns: inside('swarms', 'swarm_turns.swarm_id'),
  schedules: ofPerson,
  schedule_runs: inside('schedules', 'schedule_runs.schedule_id'),
  triggers: ofPerson,
  trigger_deliveries: inside('triggers', 'trigger_deliveries.trigger_id'),
};

/** Restrictive policies hold besides the one that shows a workspace its rows. */
function toPolicy([table, condition]: [string, string]): string {
  return `CREATE POLICY seen_by_person ON ${table} AS RESTRICTIVE TO holdfast_app
    USING ((SELECT current_person()) IS NULL OR ${condition});`;
}

/** Gives rows to people, and hides from a transaction for one person what belongs to others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(settings);
  await knex.raw(columns);
  for (const table of Object.keys(names)) {
    // Forced policies show no rows to the owner of the tables, who migrates.
    await knex.raw(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await giveToPeople(knex, table);
    await knex.raw(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  }
  await knex.raw(Object.entries(conditions).map(toPolicy).join('\n'));
}

const namesAtOnce = 10_000;

/** Gives the rows of a table to the people whom they name. */
export async function giveToPeople(knex: Knex, table: string): Promise<void> {
  const name = names[table] ?? 'NULL';
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT DISTINCT ${name} AS name FROM ${table} WHERE ${name} <> ''`,
  );
  const keys = rows.map((row) => [row.name, toPersonKey(row.name)] as const).filter(([, key]) => key !== '');
  for (let start = 0; start < keys.length; start += namesAtOnce) {
    const keysOfNames = JSON.stringify(Object.fromEntries(keys.slice(start, start + namesAtOnce)));
    await knex.raw(
      `UPDATE ${table} SET person = k.value FROM jsonb_each_text(:keys::jsonb) AS k WHERE ${name} = k.key`,
      { keys: keysOfNames },
    );
  }
}
