import type { Knex } from 'knex';

/** Programs that do not know this migration run on its schema. */
export const isCompatible = true;

const installation = `
-- One row: the id that tells this database apart from every other one at the same Temporal.
CREATE TABLE installation (
  id text PRIMARY KEY DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 12),
  is_only boolean NOT NULL DEFAULT true UNIQUE CHECK (is_only),
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

-- What a program has to know of migrations that are newer than itself.
CREATE TABLE applied_migrations (
  name text PRIMARY KEY,
  is_compatible boolean NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON installation, applied_migrations TO holdfast_app, holdfast_system;
`;

/** The id of the installation, and which migrations an older program may ignore. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(installation);
}
