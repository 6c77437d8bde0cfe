import type { Knex } from 'knex';
import { addIndex } from './add-index.ts';

/** The index is built while programs write, and each other change waits for no row. */
export const config = { transaction: false };

/**
 * Lets workers run turns without a workflow: a turn names the worker that runs it, and each worker renews one lease.
 * `direct_owner` is null for a turn that has a workflow, and all zeros while no worker has taken the turn.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE turns ADD COLUMN IF NOT EXISTS direct_owner uuid');
  await knex.raw(`ALTER TABLE agent_versions DROP CONSTRAINT IF EXISTS agent_versions_execution_check,
    ADD CONSTRAINT agent_versions_execution_check CHECK (execution IN ('inspectable', 'fast', 'direct')) NOT VALID`);
  await knex.raw('ALTER TABLE agent_versions VALIDATE CONSTRAINT agent_versions_execution_check');
  // A crash of Postgres empties the table; then each worker renews its lease before any worker takes turns of others.
  await knex.raw(`CREATE UNLOGGED TABLE IF NOT EXISTS direct_workers (
    id uuid PRIMARY KEY, alive_at timestamptz NOT NULL) WITH (fillfactor = 50)`);
  await knex.raw('GRANT SELECT, INSERT, UPDATE, DELETE ON direct_workers TO holdfast_system');
  await addIndex(knex, {
    name: 'turns_direct',
    on: `turns (id) WHERE direct_owner IS NOT NULL AND status IN ('running', 'waiting_for_approval')`,
  });
}

/** Migrations are not taken back. */
export async function down(): Promise<void> {}
