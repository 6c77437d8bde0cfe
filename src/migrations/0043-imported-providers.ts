import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it have no imported providers. */
export const isCompatible = true;

/**
 * `definition` is JSON as text: it is only read as a whole, and documents may have characters that jsonb refuses. The other
 * columns are what lists show.
 */
const importedProviders = `
CREATE TABLE imported_providers (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  version int NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  auth_types text[] NOT NULL,
  operation_names text[] NOT NULL,
  definition text NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX imported_providers_name ON imported_providers (workspace_id, name);
`;

/** Adds the providers that workspaces import from documents of APIs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(importedProviders);
  await knex.raw(isolateTable('imported_providers'));
}
