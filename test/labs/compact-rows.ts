import type { Database } from '../../src/platform/database/connect-database.ts';
import {
  createCompactionRepository,
  type NewCompaction,
} from '../../src/modules/turns/context/compaction-repository.ts';

/** Stores that a model call of a turn sees less of the conversation; false when it is stored already. */
export function compactRows(
  database: Database,
  workspaceId: string,
  parts: Pick<NewCompaction, 'turnId'> & Partial<NewCompaction>,
): Promise<boolean> {
  const start = { throughOrdinal: 0, throughOffset: 0, referencesThrough: 0, summaryId: null };
  const compaction: NewCompaction = {
    ...{ iteration: 1, number: 1, heldBy: null, kind: 'oldest_first', start, fromOrdinal: 1 },
    ...{ tokensBefore: 100, tokensAfter: 50, references: 0, summary: null, error: null, ...parts },
  };
  return database.transact(workspaceId, (query) =>
    createCompactionRepository(query).storeCompaction(compaction),
  );
}
