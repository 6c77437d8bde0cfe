import { createS3Bucket } from '../platform/buckets/s3-bucket.ts';
import type { Database } from '../platform/database/connect-database.ts';
import { createOperatorFetch } from '../platform/egress/guarded-fetch.ts';
import { createPageCounter } from '../modules/files/count-pages.ts';
import { createResultFileStore } from '../modules/files/create-result-file-store.ts';
import { createFileStore } from '../modules/files/create-file-store.ts';
import { createFileScanner, type FileScanner } from '../modules/files/scan-file.ts';
import type { FileSettings } from './file-settings.ts';

/** Builds the services for files: where their bytes are, their readers, and the checks of uploads. */
export function createFileServices({ files }: { files: FileSettings }, database: Database) {
  const bucket = files.bucket && createS3Bucket(files.bucket);
  const fileStorage = { database, bucket };
  const countPages = createPageCounter();
  const { scanFile, closeScanner } = createScanner(files.scanner);
  return {
    parts: {
      ...{ fileStorage, scanFile, countPages },
      fileStore: createFileStore(fileStorage),
      resultFiles: createResultFileStore({ ...fileStorage, scanFile, countPages }),
      fileLimits: files.limits,
    },
    close: async () => {
      await Promise.all([bucket?.close(), closeScanner?.()]);
    },
  };
}

function createScanner(scanner: FileSettings['scanner']): {
  scanFile?: FileScanner;
  closeScanner?: () => Promise<void>;
} {
  if (!scanner) return {};
  const fetch = createOperatorFetch();
  return { scanFile: createFileScanner({ ...scanner, fetch }), closeScanner: () => fetch.close() };
}
