import type { Knex } from 'knex';

/** Programs that do not know the columns know no user tokens, whose texts have another form, and no people. */
export const isCompatible = true;

/**
 * Credentials of people are rows of `api_keys`, so that whatever a key made, started or decided is found and asked again in
 * one way. A `user_token` has the key that issued it, and perhaps the only conversations that it sees; a `person` is
 * somebody known to an identity provider by its issuer and subject, and has no secret.
 */
const columns = `
ALTER TABLE api_keys
  ADD COLUMN kind text NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'user_token', 'person')),
  ADD COLUMN roles text[] NOT NULL DEFAULT '{}',
  ADD COLUMN issued_by uuid,
  ADD COLUMN conversations uuid[],
  ADD COLUMN issuer text,
  ADD COLUMN subject text;
CREATE INDEX ON api_keys (issued_by) WHERE issued_by IS NOT NULL;
CREATE INDEX ON api_keys (workspace_id, expires_at) WHERE kind = 'user_token';
CREATE UNIQUE INDEX ON api_keys (workspace_id, issuer, subject) WHERE kind = 'person';
`;

const policies = `
CREATE FUNCTION current_conversations() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('holdfast.conversations', true), '')::uuid[] $$;
CREATE POLICY named_by_token ON conversations AS RESTRICTIVE TO holdfast_app
  USING ((SELECT current_conversations()) IS NULL OR id = ANY ((SELECT current_conversations())::uuid[]));
`;

/** Adds what user tokens and people are stored with, and shows a token for some conversations these alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
  await knex.raw(policies);
}
