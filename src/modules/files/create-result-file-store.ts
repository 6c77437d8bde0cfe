import { createHash } from 'node:crypto';
import { createFileRepository, type FileMeasures, type FileOrigin } from './file-repository.ts';
import type { ResultFileStore } from '../../domain/tool.ts';
import { newId } from '../../platform/lib/ids.ts';
import { createFileStore } from './create-file-store.ts';
import type { FileDependencies, FileStorageParts } from './file-dependencies.ts';
import { discard, maxRowBytes, storeBytes, takenOver } from './file-storage.ts';
import { inspectPart } from './inspect-part.ts';
import { scanBytes } from './scan-bytes.ts';

interface ResultFileStoreParts
  extends FileStorageParts, Partial<Pick<FileDependencies, 'countPages' | 'scanFile'>> {}

type NewPart = FileOrigin & Partial<FileMeasures> & { id: string; bytes: Uint8Array };

/**
 * Builds the store for binary data of tool results, which are in memory already. They are scanned as uploads are, and large
 * ones go where large uploads go.
 */
export function createResultFileStore(parts: ResultFileStoreParts): ResultFileStore {
  const { countPages } = parts;
  const files = createFileStore(parts);
  return {
    put: async ({ workspaceId, signal = new AbortController().signal, ...file }) => {
      const id = newId();
      const { bytes, name = null } = file;
      await scanBytes(parts, { workspaceId, id }, { bytes, name, signal });
      const facts = await inspectPart(file, { countPages, signal });
      const part = { ...file, ...facts, id };
      if (bytes.byteLength > maxRowBytes) await putLarge(parts, workspaceId, { ...part, signal });
      else await putSmall(parts, workspaceId, part);
      return { id };
    },
    get: ({ workspaceId, id }) => files.read({ workspaceId, id }),
  };
}

async function putSmall({ database }: FileStorageParts, workspaceId: string, part: NewPart): Promise<void> {
  await database.inWorkspace(workspaceId, (trx) => createFileRepository(trx).createFile(part));
}

async function putLarge(
  parts: FileStorageParts,
  workspaceId: string,
  { bytes, signal, pages = null, width = null, height = null, ...origin }: NewPart & { signal: AbortSignal },
): Promise<void> {
  const begun = await storeBytes(parts, workspaceId, { ...origin, content: toContent(bytes), signal });
  try {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const measures = { size: bytes.byteLength, sha256, pages, width, height };
    const isWhole = await parts.database.inWorkspace(workspaceId, (trx) =>
      createFileRepository(trx).finishFile(begun, measures),
    );
    if (!isWhole) throw takenOver();
  } catch (error) {
    await discard(parts, begun);
    throw error;
  }
}

async function* toContent(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
