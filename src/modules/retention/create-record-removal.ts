import type { RemovalResult } from './removal-contract.ts';
import { removeDeleted } from './remove-deleted.ts';
import { removeOldRecords } from './remove-old-records.ts';
import { removeDeletedFiles, removeUnusedFiles } from './remove-files.ts';
import type { MayContinue, RemovalDependencies } from './removal.ts';

/** The pause after a complete removal of old rows, in milliseconds. */
const retentionRestMs = 60 * 60_000;

/** Removes rows in batches while `mayContinue` answers true; `more` of the result says whether there are others. */
export type RemoveRecords = (mayContinue: MayContinue) => Promise<RemovalResult>;

/**
 * Creates the removal of deleted records, which runs in each call, and of unused files and records that are older than the
 * retention setting, which pauses for an hour after each complete run.
 */
export function createRecordRemoval(dependencies: RemovalDependencies): RemoveRecords {
  let restsUntil = 0;
  return async (mayContinue) => {
    const removed = await removeDeleted(dependencies, mayContinue);
    if (mayContinue()) await removeDeletedFiles(dependencies, mayContinue);
    if (Date.now() >= restsUntil && mayContinue()) {
      const old = await removeOldRecords(dependencies, mayContinue);
      removed.turns += old.turns;
      removed.conversations += old.conversations;
      await removeUnusedFiles(dependencies, mayContinue);
      if (mayContinue()) restsUntil = Date.now() + retentionRestMs;
    }
    return { ...removed, more: !mayContinue() };
  };
}
