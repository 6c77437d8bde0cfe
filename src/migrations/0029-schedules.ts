import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it have no schedules. */
export const isCompatible = true;

/**
 * The row is what counts; the schedule in Temporal is a copy. `revision` grows with each change, and `copied_revision` is
 * the one that Temporal has.
 */
const schedules = `
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  times jsonb NOT NULL,
  time_zone text NOT NULL,
  action jsonb NOT NULL,
  overlap text NOT NULL,
  catch_up_ms bigint NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  created_by jsonb NOT NULL,
  revision int NOT NULL DEFAULT 1,
  copied_revision int NOT NULL DEFAULT 0,
  checked_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX schedules_of_workspace ON schedules (workspace_id, id);
CREATE INDEX schedules_to_copy ON schedules (checked_at NULLS FIRST);

CREATE TABLE schedule_runs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  schedule_id uuid NOT NULL REFERENCES schedules ON DELETE CASCADE,
  scheduled_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'failed')),
  conversation_id uuid,
  turn_id uuid,
  replay_id uuid,
  outcome text,
  error jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  UNIQUE (schedule_id, scheduled_at)
);
CREATE INDEX schedule_runs_newest ON schedule_runs (schedule_id, id);
CREATE INDEX schedule_runs_age ON schedule_runs (started_at);
`;

/** Adds schedules and their runs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(schedules);
  for (const table of ['schedules', 'schedule_runs']) await knex.raw(isolateTable(table));
}
