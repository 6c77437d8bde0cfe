import { isolateTable } from '../isolate.ts';

const tables = `
-- One row for each call that costs credits. part says what of its source it is: model/<iteration> and
-- tool/<iteration>/<index> of a turn, run/… of a replay. The key is the same for all attempts, so a call is counted once.
-- Without references: costs stay when the turn is removed.
CREATE TABLE credit_entries (
  source_id uuid NOT NULL,
  part text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL CHECK (kind IN ('model', 'tool', 'replay', 'embedding', 'summary')),
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('reserved', 'settled', 'released')),
  -- What is reserved until the call is settled, and then what it has cost.
  credits bigint NOT NULL CHECK (credits >= 0),
  priced boolean NOT NULL DEFAULT true,
  agent_id uuid,
  -- That of the topmost turn.
  conversation_id uuid,
  asked_by text, swarm_id uuid,
  -- Whether budget_periods has it.
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
  -- Such a budget has no subject: it counts the calls of each one apart.
  is_each boolean NOT NULL DEFAULT false,
  -- The limit of credits of a swarm, which is removed when the swarm has ended.
  is_limit boolean NOT NULL DEFAULT false,
  period text NOT NULL CHECK (period IN ('day', 'month', 'total')),
  credits bigint NOT NULL CHECK (credits >= 0),
  -- The text that people read when the budget ends their turn; null for the standard sentence.
  message text,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT budgets_subject CHECK ((subject IS NULL) = (scope = 'workspace' OR is_each)),
  CONSTRAINT budgets_each CHECK (NOT is_each OR scope IN ('agent', 'conversation', 'user'))
);
CREATE UNIQUE INDEX budgets_scope ON budgets (workspace_id, scope, coalesce(subject, ''), period);

CREATE TABLE budget_periods (
  budget_id uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  spent bigint NOT NULL DEFAULT 0, warned_at timestamptz,
  PRIMARY KEY (budget_id, starts_at)
) WITH (fillfactor = 50);

CREATE TABLE budget_shares (
  budget_id uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
  -- Whose calls the row counts: an id, or the normal form of the name of a person.
  share text NOT NULL,
  starts_at timestamptz NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  -- The name as it was written last.
  subject text NOT NULL,
  spent bigint NOT NULL DEFAULT 0, warned_at timestamptz,
  PRIMARY KEY (budget_id, starts_at, share)
) WITH (fillfactor = 50);

CREATE TABLE workspace_prices (
  workspace_id uuid PRIMARY KEY DEFAULT current_workspace(),
  prices jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
`;

const isolated = ['credit_entries', 'budgets', 'budget_periods', 'budget_shares', 'workspace_prices'];

/** The ledger of credits, budgets, and the prices of workspaces. */
export const credits = tables + isolated.map(isolateTable).join('');
