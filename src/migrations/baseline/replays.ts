import { hideFromOthers, isInside, isolateTable } from '../isolate.ts';

const tables = `
-- Nothing of a replay has a reference to turns: those may be removed before it, and a run of a case whose turn is gone fails.
CREATE TABLE replays (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  status text NOT NULL DEFAULT 'running'
    CHECK (status IN ('running', 'paused', 'completed', 'stopped', 'cancelled', 'failed')),
  input jsonb NOT NULL,
  started_by jsonb, changed_by jsonb, cases integer,
  done_runs integer NOT NULL DEFAULT 0, failed_runs integer NOT NULL DEFAULT 0,
  spent_tokens bigint NOT NULL DEFAULT 0, spent_usd double precision NOT NULL DEFAULT 0,
  summary jsonb, error jsonb,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz, swept_at timestamptz
) WITH (fillfactor = 50);
CREATE INDEX ON replays (workspace_id, id);
CREATE INDEX replays_open ON replays (updated_at) WHERE settled_at IS NULL;

CREATE TABLE replay_cases (
  replay_id uuid NOT NULL,
  position integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  turn_ids uuid[] NOT NULL,
  PRIMARY KEY (replay_id, position)
);
CREATE INDEX ON replay_cases (conversation_id);

CREATE TABLE replay_runs (
  replay_id uuid NOT NULL,
  position integer NOT NULL,
  lane text NOT NULL CHECK (lane IN ('original', 'baseline', 'candidate')),
  repeat integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  run jsonb, comparison jsonb, error jsonb,
  connections_opened integer NOT NULL, credentials_decrypted integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (replay_id, position, lane, repeat)
);
CREATE INDEX ON replay_runs (conversation_id);
`;

/** Replays of recorded conversations, their cases, and the runs of these. */
export const replays = `
${tables}
${['replays', 'replay_cases', 'replay_runs'].map(isolateTable).join('')}
${hideFromOthers('replay_cases', isInside('conversations', 'replay_cases.conversation_id'))}
${hideFromOthers('replay_runs', isInside('conversations', 'replay_runs.conversation_id'))}`;
