import type { Database } from '../../platform/database/connect-database.ts';
import type { FileBucket, FileLimits } from '../../domain/file.ts';
import type { PageCounter } from './count-pages.ts';
import type { FileScanner } from './scan-file.ts';

/** Where the bytes of files are stored. */
export interface FileStorageParts {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
  /** Takes the bytes of files that are too large for their row. @default Postgres takes all */
  bucket?: FileBucket | undefined;
}

/** Everything that the use cases of files need from the rest of the program. */
export interface FileDependencies {
  fileStorage: FileStorageParts;
  fileLimits: FileLimits;
  countPages: PageCounter;
  /** Scans files and documents for viruses. @default no scan */
  scanFile?: FileScanner | undefined;
}
