import type { Database } from '../../platform/database/connect-database.ts';
import type { FileBucket } from '../../domain/file.ts';
import type { Table } from '../../platform/module/define-module.ts';

/** Everything that the removal of rows needs from the rest of the program. */
export interface RemovalDependencies {
  database: Pick<Database, 'system' | 'inWorkspace'>;
  /** The tables whose rows are removed with their workspace, in the order of their removal. */
  tables: readonly Table[];
  logger: { warn: (fields: object, message: string) => void };
  /** The bucket with the objects of files; without it they wait in their queue. */
  bucket?: FileBucket | undefined;
  /** The age in days at which turns are removed, for workspaces without a setting. @default never */
  retentionDays?: number | undefined;
}

/** Asked before each batch: false ends the removal, which another one continues. */
export type MayContinue = () => boolean;

/** The number of turns, with everything that belongs to them, that one transaction removes. */
export const turnsPerBatch = 50;

/** The number of routines, with their versions, that one transaction removes. */
export const routinesPerBatch = 10;

/** The number of small rows that one transaction removes. */
export const rowsPerBatch = 1000;

/** Runs batches until one of them has removed less than a batch may. Returns how much all have removed. */
export async function inBatches(
  mayContinue: MayContinue,
  size: number,
  removeBatch: () => Promise<number>,
): Promise<number> {
  let removed = 0;
  while (mayContinue()) {
    const batch = await removeBatch();
    removed += batch;
    if (batch < size) break;
  }
  return removed;
}
