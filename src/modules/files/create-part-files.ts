import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { createFileTextRepository } from './file-text-repository.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { FileToRead, PartFiles } from '../../domain/part-files.ts';
import { partTextCharacters, type FileText } from '../../domain/part-text.ts';
import type { StoredFile } from '../../domain/tool.ts';

interface PartFileParts {
  database: Pick<Transactions, 'pipelined'>;
  /** @throws HoldfastError `NOT_FOUND` for a file that is gone */
  readFile: (request: { workspaceId: string; id: string; signal: AbortSignal }) => Promise<StoredFile>;
  /** The text of a document; null for one that has no text that can be read. */
  readText: (file: StoredFile, signal: AbortSignal) => Promise<string | null>;
  /** The limit of the cache for all files of a process together, in bytes of base64. @default 64 MiB */
  cacheBytes?: number;
}

const defaultCacheBytes = 64 * 1024 * 1024;

/** How many documents are in memory to be read at the same time: each may have the size of the largest upload. */
const documentsAtOnce = 2;

/** Builds the reader of the files of messages. It keeps the files that were sent last in memory, since each call sends them again. */
export function createPartFiles(parts: PartFileParts): PartFiles {
  const { database, readFile, cacheBytes = defaultCacheBytes } = parts;
  const sent = new LRUCache<string, string>({
    maxSize: cacheBytes,
    sizeCalculation: ({ length }) => length + 1,
  });
  const limitDocuments = pLimit(documentsAtOnce);

  return {
    list: async (workspaceId, ids) => {
      if (ids.length === 0) return new Map();
      const files = await database.pipelined(workspaceId, (query) =>
        createFileTextRepository(query).listFiles(ids),
      );
      return new Map(files.map((file) => [file.id, file]));
    },

    readBase64: async ({ workspaceId, file: { id }, signal }) => {
      const key = `${workspaceId}/${id}`;
      const known = sent.get(key);
      if (known !== undefined) return known;
      const file = await orNull(readFile({ workspaceId, id, signal }));
      if (!file) return null;
      const { buffer, byteOffset, byteLength } = file.bytes;
      const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
      sent.set(key, base64);
      return base64;
    },

    readText: async (request) => {
      const { workspaceId, file } = request;
      const stored = await database.pipelined(workspaceId, (query) =>
        createFileTextRepository(query).findText(file.id),
      );
      return withoutEmpty(stored ?? (await limitDocuments(() => readAndStore(parts, request))));
    },
  };
}

async function orNull(reading: Promise<StoredFile>): Promise<StoredFile | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** A document without text is stored as an empty one, so that it is not read again. */
async function readAndStore(
  { database, readFile, readText }: PartFileParts,
  { workspaceId, file, signal }: FileToRead,
): Promise<FileText | null> {
  signal.throwIfAborted();
  const stored = await orNull(readFile({ workspaceId, id: file.id, signal }));
  if (!stored) return null;
  const whole = (await readText(stored, signal)) ?? '';
  const text = { text: whole.slice(0, partTextCharacters).toWellFormed(), characters: whole.length };
  await database.pipelined(workspaceId, (query) =>
    createFileTextRepository(query).storeText({ fileId: file.id, ...text }),
  );
  return text;
}

function withoutEmpty(text: FileText | null): FileText | null {
  return text && text.text.trim() !== '' ? text : null;
}
