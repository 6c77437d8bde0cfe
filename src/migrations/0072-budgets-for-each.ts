import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it do not keep budgets for each agent, conversation or user. */
export const isCompatible = true;

/**
 * A budget with `is_each` has no subject: it counts the calls of each one apart. `share` is whose calls a row counts: an
 * id, or the name of a person in the form in which names are compared; `subject` is that name as it was written last.
 */
const shares = `
ALTER TABLE budgets ADD COLUMN is_each boolean NOT NULL DEFAULT false;
ALTER TABLE budgets DROP CONSTRAINT budgets_check;
ALTER TABLE budgets
  ADD CONSTRAINT budgets_subject CHECK ((subject IS NULL) = (scope = 'workspace' OR is_each)),
  ADD CONSTRAINT budgets_each CHECK (NOT is_each OR scope IN ('agent', 'conversation', 'user'));

CREATE TABLE budget_shares (
  budget_id uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
  share text NOT NULL,
  starts_at timestamptz NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  subject text NOT NULL,
  spent bigint NOT NULL DEFAULT 0,
  warned_at timestamptz,
  PRIMARY KEY (budget_id, starts_at, share)
) WITH (fillfactor = 50);
`;

/** Adds budgets for each agent, conversation or user. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(shares);
  await knex.raw(isolateTable('budget_shares'));
}
