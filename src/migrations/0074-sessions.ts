import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it take no cookies. */
export const isCompatible = true;

/**
 * A browser that was let in by a credential: an API key, a user token, or a person of an identity provider. It may do what its
 * credential may do at the time, and ends with it.
 */
const sessions = `
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  credential_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX ON sessions (credential_id);
CREATE INDEX ON sessions (workspace_id, expires_at);
`;

/** Adds sessions of browsers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(sessions);
  await knex.raw(isolateTable('sessions'));
}
