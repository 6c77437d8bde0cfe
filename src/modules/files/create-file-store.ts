import { createFileRepository } from './file-repository.ts';
import type { FileRef, FileStore, OpenedFile } from '../../domain/file.ts';
import { checkSize, readWhole } from './file-bytes.ts';
import type { FileStorageParts } from './file-dependencies.ts';
import { readBytes } from './file-storage.ts';

/** Builds the reader of files for all parts of a program. */
export function createFileStore(parts: FileStorageParts): FileStore {
  const { database } = parts;
  const getFile = ({ workspaceId, id }: FileRef) =>
    database.inWorkspace(workspaceId, (trx) => createFileRepository(trx).getFile(id));
  const open: FileStore['open'] = async ({ signal, ...ref }): Promise<OpenedFile> => {
    const { facts, ...placed } = await getFile(ref);
    return { facts, content: checkSize(readBytes(parts, ref, { ...placed, signal }), facts.size) };
  };
  return {
    find: async (ref) => (await getFile(ref)).facts,
    open,
    read: async (request) => {
      const { facts, content } = await open(request);
      const { id, name, mediaType, size } = facts;
      return { id, name, mediaType, bytes: await readWhole(content, size) };
    },
  };
}
