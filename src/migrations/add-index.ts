import type { Knex } from 'knex';

interface NewIndex {
  name: string;
  /** The table, and what of it is indexed: `turns (agent_id, id) WHERE settled_at IS NOT NULL`. */
  on: string;
  /** @default false */
  isUnique?: boolean;
}

/**
 * Creates an index of a table that has rows, while programs write to it. The migration exports
 * `config = { transaction: false }`, and does nothing else that would fail when it is repeated.
 */
export async function addIndex(knex: Knex, { name, on, isUnique = false }: NewIndex): Promise<void> {
  // An attempt that failed leaves an index that is not valid.
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await knex.raw(`CREATE ${isUnique ? 'UNIQUE INDEX' : 'INDEX'} CONCURRENTLY ${name} ON ${on}`);
}
