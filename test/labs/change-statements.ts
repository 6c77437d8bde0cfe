import type { Knex } from 'knex';
import { createChangeRepository } from '../../src/modules/changes/change-repository.ts';
import { createChangeWatchRepository } from '../../src/modules/changes/change-watch-repository.ts';
import type { Database } from '../../src/platform/database/connect-database.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { largeWorkspace } from './large-tables.ts';

/** A position before the last of the notes in `large-tables.ts`, a thousand of which each transaction has written. */
const after = { epoch: '0123456789ab', snapshot: '202:202:' };

/** Gives a new database the log to which the position belongs. */
export async function openLog(database: Pick<Database, 'system'>): Promise<void> {
  await database.system('change_log').insert({ epoch: after.epoch });
}

/** Reads the notes that a reader has not got. */
export function readNewChanges(query: Query): Promise<unknown> {
  return createChangeRepository(query).readChanges(after, { types: ['turn'], person: null });
}

/** Statements about the notes of all workspaces. The removal looks at the oldest ones, whatever their times are. */
export const watchesOfChanges: [string, (system: Knex) => Promise<unknown>][] = [
  [
    'workspaces with new changes',
    (system) => createChangeWatchRepository(system).listChanged(after.snapshot, [largeWorkspace]),
  ],
  ['removing old notes of changes', (system) => createChangeWatchRepository(system).removeOld(() => false)],
];
