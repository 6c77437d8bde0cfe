import type { Knex } from 'knex';
import { isInside, isolateTable } from './isolate.ts';

/**
 * Notes of what has changed in a workspace, which readers get in the order of their commits: see
 * decision 83 in docs/decisions/streams.md. Both tables are unlogged: after a crash of Postgres they are empty, and the
 * next reader begins a log of another epoch.
 */
const tables = `
CREATE UNLOGGED TABLE change_log (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  epoch text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 12),
  -- The newest transaction of which notes were removed because of their age.
  pruned xid8 NOT NULL DEFAULT '0'
);
GRANT SELECT, INSERT ON change_log TO holdfast_app;
GRANT SELECT, INSERT, UPDATE ON change_log TO holdfast_system;

-- The sequence is logged: ids of one thing grow with each of its changes, also after a crash.
CREATE SEQUENCE change_ids;
GRANT USAGE ON SEQUENCE change_ids TO holdfast_app, holdfast_system;
CREATE UNLOGGED TABLE changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL DEFAULT nextval('change_ids'),
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  type text NOT NULL,
  subject_id uuid NOT NULL,
  status text NOT NULL,
  conversation_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (xid, id)
);
CREATE INDEX ON changes (workspace_id, xid);
`;

/** The tables whose rows a person sees only in part. */
const seenInPart: Record<string, string> = {
  turn: 'turns',
  action: 'pending_actions',
  routine_run: 'routine_runs',
  swarm: 'swarms',
  schedule_run: 'schedule_runs',
  trigger_delivery: 'trigger_deliveries',
};

const isSeen = Object.entries(seenInPart)
  .map(([type, table]) => `WHEN '${type}' THEN ${isInside(table, 'changes.subject_id')}`)
  .join(' ');

/** For reads alone: a person may change what the person then no longer sees. */
const people = `
CREATE POLICY seen_by_person ON changes AS RESTRICTIVE FOR SELECT TO holdfast_app
  USING ((SELECT current_person()) IS NULL OR CASE type ${isSeen} ELSE true END);
`;

/** Adds the notes of changes. The triggers that write them come with the next migration. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(tables);
  await knex.raw(isolateTable('changes'));
  await knex.raw(people);
}
