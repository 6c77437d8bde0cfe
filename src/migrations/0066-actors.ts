import type { Knex } from 'knex';
import { toPersonKey } from '../domain/person.ts';

/** Programs that do not know the columns leave them empty, and check fewer rights. */
export const isCompatible = true;

/**
 * Columns with the JSON of an actor reference, `{ apiKeyId, actingFor }`, say who made or changed a row. `stopped_at` is
 * set for work whose makers lost the right to it. `participants` are those who changed what a turn does besides its
 * starter. `person` of a conversation is the normal form of the name of the person to whom it belongs. `approvers` maps
 * people of Slack to people who approve, and `decides_since` is the time since which a channel's messages decide.
 */
const columns = `
ALTER TABLE schedules ADD COLUMN changed_by jsonb, ADD COLUMN stopped_at timestamptz, ADD COLUMN stopped_reason text;
ALTER TABLE triggers ADD COLUMN changed_by jsonb, ADD COLUMN stopped_at timestamptz, ADD COLUMN stopped_reason text;
ALTER TABLE trigger_deliveries ADD COLUMN retried_by jsonb;
ALTER TABLE webhooks
  ADD COLUMN created_by jsonb,
  ADD COLUMN changed_by jsonb,
  ADD COLUMN approvers jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN decides_since timestamptz;
ALTER TABLE replays ADD COLUMN changed_by jsonb;
ALTER TABLE conversations ADD COLUMN made_by jsonb, ADD COLUMN person text;
CREATE INDEX conversations_of_person ON conversations (workspace_id, person, id) WHERE person IS NOT NULL;
ALTER TABLE turns ADD COLUMN participants jsonb NOT NULL DEFAULT '[]';
ALTER TABLE routine_events ADD COLUMN emitted_by jsonb;
ALTER TABLE swarm_subtasks ADD COLUMN added_by jsonb;
ALTER TABLE api_keys ADD COLUMN made_by jsonb, ADD COLUMN revoked_by jsonb;
`;

/** The person of the first turn of each conversation, as it was named. */
const named = `
SELECT conversation_id, person FROM (
  SELECT DISTINCT ON (conversation_id) conversation_id, coalesce(asked_by, started_by ->> 'actingFor') AS person
  FROM turns ORDER BY conversation_id, ordinal
) AS first_turns WHERE person IS NOT NULL`;

const namesAtOnce = 10_000;

/** Adds who made, changed and took part in what acts, and gives conversations to the person of their first turn. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
  // Forced policies show no rows to the owner of the tables, who migrates.
  await forcePolicies(knex, 'NO FORCE');
  await fillPersons(knex);
  await forcePolicies(knex, 'FORCE');
}

function forcePolicies(knex: Knex, force: 'FORCE' | 'NO FORCE'): Promise<unknown> {
  return knex.raw(
    `ALTER TABLE conversations ${force} ROW LEVEL SECURITY; ALTER TABLE turns ${force} ROW LEVEL SECURITY`,
  );
}

/** Sets the person of conversations that have none, from their first turn. */
export async function fillPersons(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { person: string }[] }>(
    `SELECT DISTINCT person FROM (${named}) AS n`,
  );
  const keys = rows
    .map(({ person }) => [person, toPersonKey(person)] as const)
    .filter(([, key]) => key !== '');
  for (let start = 0; start < keys.length; start += namesAtOnce) {
    const names = JSON.stringify(Object.fromEntries(keys.slice(start, start + namesAtOnce)));
    await knex.raw(
      `UPDATE conversations c SET person = k.value
       FROM (${named}) AS n JOIN jsonb_each_text(:names::jsonb) AS k ON k.key = n.person
       WHERE c.id = n.conversation_id AND c.person IS NULL`,
      { names },
    );
  }
}
