import { hideFromOthers, isInside, isOfPerson, isolateTable } from '../isolate.ts';

const tables = `
-- The row is what counts; the schedule in Temporal is a copy.
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  times jsonb NOT NULL,
  time_zone text NOT NULL,
  action jsonb NOT NULL,
  overlap text NOT NULL, catch_up_ms bigint NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  created_by jsonb NOT NULL, changed_by jsonb,
  -- The normal form of the name of the person to whom it belongs; null for the workspace alone.
  person text,
  -- Grows with each change; and the one that Temporal has.
  revision integer NOT NULL DEFAULT 1, copied_revision integer NOT NULL DEFAULT 0,
  checked_at timestamptz,
  -- Set when its makers lost the right to what it does.
  stopped_at timestamptz, stopped_reason text,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX schedules_of_workspace ON schedules (workspace_id, id);
CREATE INDEX schedules_to_copy ON schedules (checked_at NULLS FIRST);

CREATE TABLE schedule_runs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  schedule_id uuid NOT NULL REFERENCES schedules ON DELETE CASCADE,
  scheduled_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'failed')),
  conversation_id uuid, turn_id uuid, replay_id uuid, routine_run_id uuid,
  outcome text,
  error jsonb,
  started_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz,
  UNIQUE (schedule_id, scheduled_at)
);
CREATE INDEX schedule_runs_newest ON schedule_runs (schedule_id, id);
CREATE INDEX schedule_runs_age ON schedule_runs (started_at);
`;

/** Schedules and their runs. */
export const schedules = `
${tables}
${['schedules', 'schedule_runs'].map(isolateTable).join('')}
${hideFromOthers('schedules', isOfPerson)}
${hideFromOthers('schedule_runs', isInside('schedules', 'schedule_runs.schedule_id'))}`;
