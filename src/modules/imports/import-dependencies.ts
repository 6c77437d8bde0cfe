import type { Database } from '../../platform/database/connect-database.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import type { FindProviderEntry } from '../../engines/providers/provider-entry.ts';
import type { RunImportTask } from './import-threads.ts';

/** Everything that imports need from the rest of the program. */
export interface ImportDependencies {
  database: Database;
  /** The names that no imported provider may have: those of the catalogue, and those that connections use otherwise. */
  isTakenName: (name: string) => boolean;
  runImportTask: RunImportTask;
  /** For documents that an import names by their address. */
  importFetch: GuardedFetch;
  findProviderEntry: FindProviderEntry;
}
