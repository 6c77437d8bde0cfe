import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it show no workflow as stuck. */
export const isCompatible = true;

/** The table has a row only while a workflow is stuck. `subject_id` is the id of its turn, run, swarm and so on. */
const stuckWorkflows = `
CREATE TABLE stuck_workflows (
  workflow_id text PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL,
  subject_id uuid,
  cause text NOT NULL,
  since timestamptz NOT NULL
);
CREATE INDEX ON stuck_workflows (subject_id);
CREATE INDEX ON stuck_workflows (workspace_id);
`;

/** Adds the workflows whose tasks fail again and again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(stuckWorkflows);
  await knex.raw(isolateTable('stuck_workflows'));
}
