import type { RemovalResult } from './removal-contract.ts';
import { removeDeleted } from './remove-deleted.ts';
import { removeOldRecords } from './remove-old-records.ts';
import { removeDeletedFiles, removeUnusedFiles } from './remove-files.ts';
import type { GoesOn, RemovalDependencies } from './removal.ts';

/** The pause after a complete removal of old rows, in milliseconds. */
const retentionRestMs = 60 * 60_000;

/** Removes rows in batches while `goesOn` answers true; `more` of the result says whether there are others. */
export type RemoveRecords = (goesOn: GoesOn) => Promise<RemovalResult>;

/**
 * Creates the removal of deleted records, which runs in each call, and of unused files and records that are older than the
 * retention setting, which pauses for an hour after each complete run.
 */
export function createRecordRemoval(dependencies: RemovalDependencies): RemoveRecords {
  let restsUntil = 0;
  return async (goesOn) => {
    const removed = await removeDeleted(dependencies, goesOn);
    if (goesOn()) await removeDeletedFiles(dependencies, goesOn);
    if (Date.now() >= restsUntil && goesOn()) {
      const old = await removeOldRecords(dependencies, goesOn);
      removed.turns += old.turns;
      removed.conversations += old.conversations;
      await removeUnusedFiles(dependencies, goesOn);
      if (goesOn()) restsUntil = Date.now() + retentionRestMs;
    }
    return { ...removed, more: !goesOn() };
  };
}
