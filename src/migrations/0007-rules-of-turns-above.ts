import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

const rulesOfTurnsAbove = `
ALTER TABLE turns
  -- The turns above, outermost first: their limits of calls and canary tokens hold here too.
  ADD COLUMN rule_sources jsonb NOT NULL DEFAULT '[]';

-- How often the turns below a turn made calls that a policy of its agent limits, by the key of the policy.
CREATE TABLE turn_call_counts (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  turn_id uuid NOT NULL REFERENCES turns ON DELETE CASCADE,
  key text NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (turn_id, key)
);
`;

/** Two servers may have tools of the same name: the name is settled when an agent gets the tool. */
const sameToolNames = `
ALTER TABLE connector_tools DROP CONSTRAINT connector_tools_pkey;
ALTER TABLE connector_tools ADD PRIMARY KEY (connector_id, tool);
CREATE INDEX ON connector_tools (workspace_id, tool);
`;

/** Rules that hold in the turns below a turn, and tools of the same name on several servers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(rulesOfTurnsAbove);
  await knex.raw(isolateTable('turn_call_counts'));
  await knex.raw(sameToolNames);
}
