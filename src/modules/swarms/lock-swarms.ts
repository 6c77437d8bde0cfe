import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { swarmNotFound, type SwarmRow } from './swarm-rows.ts';

/**
 * Locks a swarm and those above it, outermost first, the order of every lock of several. Returns the swarm and then those
 * above; one that was removed has ended long before.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function lockWithAbove(query: Query, swarmId: string): Promise<[SwarmRow, ...SwarmRow[]]> {
  const rows = await query(lockRows, { swarmId });
  const [row, ...above] = rows.toReversed();
  if (!row) throw swarmNotFound(swarmId);
  return [row, ...above];
}

/** Rows are locked in the order into which they are sorted. The swarms above a swarm never change. */
const lockRows = defineStatement<{ swarmId: string }, SwarmRow>(
  'lock_swarm_with_above',
  `SELECT * FROM swarms WHERE id = ANY (ARRAY(SELECT unnest(s.lineage || s.id) FROM swarms s WHERE s.id = :swarmId))
   ORDER BY cardinality(lineage) FOR NO KEY UPDATE`,
);
