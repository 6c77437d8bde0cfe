import type { RemovalResult } from './removal-contract.ts';
import { removeDeleted } from './remove-deleted.ts';
import { removeOldRecords } from './remove-old-records.ts';
import { removeDeletedFiles, removeUnusedFiles } from './remove-files.ts';
import type { GoesOn, RemovalDependencies } from './removal.ts';

/** How long after a look for old rows has found no more the next one is due, in milliseconds. */
const retentionRestMs = 60 * 60_000;

/** Removes rows in batches while `goesOn` answers true; `more` of the result says whether there are others. */
export type RemoveRecords = (goesOn: GoesOn) => Promise<RemovalResult>;

/**
 * Creates the removal of what was deleted, which looks at once, and of what is older than the retention setting and of files
 * that nobody uses, which looks once an hour.
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
