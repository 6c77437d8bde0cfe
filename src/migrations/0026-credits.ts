import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it count no credits and keep no budgets. */
export const isCompatible = true;

/**
 * One row for each call that costs credits, by what it is a part of: `model/<iteration>` and `tool/<iteration>/<index>` of a
 * turn, `run/…` of a replay. The key is the same for all attempts, so a call is counted once. `credits` is what is reserved
 * until the call is settled, and then what it has cost. `conversation_id` is that of the topmost turn. Without references:
 * costs stay when the turn is removed. `counted` says that `budget_periods` has it.
 */
const ledger = `
CREATE TABLE credit_entries (
  source_id uuid NOT NULL,
  part text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL CHECK (kind IN ('model', 'tool', 'replay')),
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('reserved', 'settled', 'released')),
  credits bigint NOT NULL CHECK (credits >= 0),
  priced boolean NOT NULL DEFAULT true,
  agent_id uuid,
  conversation_id uuid,
  asked_by text,
  swarm_id uuid,
  counted boolean NOT NULL DEFAULT false,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, part)
);
CREATE INDEX credit_entries_open ON credit_entries (workspace_id, status) WHERE NOT counted;
CREATE INDEX credit_entries_times ON credit_entries (workspace_id, at);

CREATE TABLE budgets (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  scope text NOT NULL CHECK (scope IN ('workspace', 'agent', 'conversation', 'user', 'swarm')),
  subject text,
  period text NOT NULL CHECK (period IN ('day', 'month', 'total')),
  credits bigint NOT NULL CHECK (credits >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((scope = 'workspace') = (subject IS NULL))
);
CREATE UNIQUE INDEX budgets_scope ON budgets (workspace_id, scope, coalesce(subject, ''), period);

CREATE TABLE budget_periods (
  budget_id uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  spent bigint NOT NULL DEFAULT 0,
  warned_at timestamptz,
  PRIMARY KEY (budget_id, starts_at)
) WITH (fillfactor = 50);

CREATE TABLE workspace_prices (
  workspace_id uuid PRIMARY KEY DEFAULT current_workspace(),
  prices jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
`;

/**
 * A turn has the credits of its own calls. A turn that another one, a swarm or a routine started keeps who asked for it
 * (`asked_by`) and the conversation in which that began (`root_conversation_id`); both are null for a turn that a client
 * started. `swarm_id` is inherited by the turns below.
 */
const turns = `
ALTER TABLE turns
  ADD COLUMN credits bigint NOT NULL DEFAULT 0,
  ADD COLUMN swarm_id uuid,
  ADD COLUMN asked_by text,
  ADD COLUMN root_conversation_id uuid;
`;

/** Adds the ledger of credits, and budgets. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(ledger);
  const tables = ['credit_entries', 'budgets', 'budget_periods', 'workspace_prices'];
  for (const table of tables) await knex.raw(isolateTable(table));
  await knex.raw(turns);
}
