import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createFileRepository, toStoredName, type FileOrigin } from './file-repository.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { FileFacts } from '../../domain/file.ts';
import { requireSameRequest } from '../workspaces/repeated-request.ts';
import { newId, toKeyedId } from '../../platform/lib/ids.ts';
import { detectFileType } from './detect-file-type.ts';
import { meterBytes, readWhole, splitBytes, type MeteredBytes, type SplitBytes } from './file-bytes.ts';
import type { FileDependencies } from './file-dependencies.ts';
import { discard, maxRowBytes, readBytes, storeBytes, takenOver } from './file-storage.ts';
import { headBytes, measureFile, type HeadMeasures } from './measure-file.ts';
import { recordRefusal } from './record-refusal.ts';
import type { FileScan } from './scan-file.ts';

/** A file that is being uploaded. */
export interface FileUpload {
  name: string | null;
  /** The declared type, which may be wrong. */
  mediaType: string;
  /** The bytes as they arrive. They can be read once. */
  content: AsyncGenerator<Uint8Array>;
}

interface FileRequest {
  upload: FileUpload;
  idempotencyKey?: string | undefined;
  signal: AbortSignal;
}

type Uploader = Pick<Actor, 'workspaceId' | 'apiKeyId' | 'actsFor' | 'conversations'>;

/**
 * Stores a file as it arrives, and holds only a few pieces of it in memory. It cannot be read before it is whole and
 * within its limits, and an upload that breaks off leaves nothing. A repeated request with the same key and bytes finds
 * the file of the first one.
 * @throws HoldfastError `INVALID_INPUT` for an empty file, `PAYLOAD_TOO_LARGE`, `DOCUMENT_UNREADABLE`, `FILE_REFUSED`,
 * `CONFLICT` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function addFile(
  dependencies: FileDependencies,
  uploader: Uploader,
  request: FileRequest,
): Promise<{ file: FileFacts; accepted: boolean }> {
  const { upload, idempotencyKey: key } = request;
  const { workspaceId } = uploader;
  const id = key === undefined ? newId() : toKeyedId(workspaceId, 'file', key);
  const find = () => inFiles(dependencies, workspaceId, (files) => files.findFile(id));
  const check = (found: FoundFile, content: MeteredBytes) =>
    checkRepeated(uploader, found, { name: upload.name, content });
  const { maxBytes } = dependencies.fileLimits;
  try {
    const repeated = key === undefined ? null : await find();
    if (repeated) return await check(repeated, meterBytes(upload.content, { maxBytes }));
    const scan = dependencies.scanFile?.(upload.name);
    const metered = meterBytes(upload.content, { maxBytes, tap: scan?.write });
    try {
      const stored = { ...request, id, metered, scan };
      return { file: await storeUpload(dependencies, uploader, stored), accepted: true };
    } catch (error) {
      // The same request has stored the file at the same moment.
      const other = isUniqueViolation(error) ? await find() : null;
      if (other) return await check(other, metered);
      await recordRefusal(dependencies.fileStorage, { workspaceId, id }, { name: upload.name, error });
      throw isUniqueViolation(error) ? takenOver() : error;
    } finally {
      scan?.cancel();
    }
  } finally {
    // Reads the rest of a refused request, so that its client gets the answer.
    await upload.content.return(undefined);
  }
}

interface UploadToStore {
  upload: FileUpload;
  id: string;
  metered: MeteredBytes;
  scan: FileScan | undefined;
  signal: AbortSignal;
}

async function storeUpload(
  dependencies: FileDependencies,
  uploader: Uploader,
  { upload, id, ...parts }: UploadToStore,
): Promise<FileFacts> {
  const split = await splitBytes(parts.metered.content, headBytes);
  if (split.head.byteLength === 0)
    throw createInvalidInput([{ field: 'file', message: 'expected content, found none' }]);
  const { name } = upload;
  const mediaType = await detectFileType(split.head, { name, declared: upload.mediaType });
  const measures = measureFile(split.head, mediaType, dependencies.fileLimits);
  const { conversations } = uploader;
  const origin = { id, name, mediaType, createdBy: toActorRef(uploader, undefined), conversations };
  const stored = { dependencies, workspaceId: uploader.workspaceId, origin, measures, ...parts };
  return split.isWhole && split.head.byteLength <= maxRowBytes
    ? storeSmall(stored, split.head)
    : storeLarge(stored, split);
}

interface StoredUpload extends Pick<UploadToStore, 'metered' | 'scan' | 'signal'> {
  dependencies: FileDependencies;
  workspaceId: string;
  origin: FileOrigin & { id: string };
  measures: HeadMeasures;
}

async function storeSmall(stored: StoredUpload, bytes: Buffer): Promise<FileFacts> {
  const { dependencies, workspaceId, origin, measures, metered } = stored;
  await stored.scan?.finish();
  const pages = await countPages(stored, () => Promise.resolve(Uint8Array.from(bytes)));
  return dependencies.fileStorage.database.inWorkspace(workspaceId, async (trx) => {
    const file = { ...origin, bytes, ...measures, ...metered.measure(), pages };
    return recordFile(trx, await createFileRepository(trx).createFile(file));
  });
}

async function storeLarge(stored: StoredUpload, { content }: SplitBytes): Promise<FileFacts> {
  const { dependencies, workspaceId, origin, measures, metered, signal } = stored;
  const { fileStorage } = dependencies;
  const begun = await storeBytes(fileStorage, workspaceId, { ...origin, content, signal });
  try {
    await stored.scan?.finish();
    const { size } = metered.measure();
    const storage = begun.objectKey === null ? 'pieces' : 'bucket';
    const pages = await countPages(stored, () =>
      readWhole(readBytes(fileStorage, begun, { ...begun, storage, signal }), size),
    );
    return await fileStorage.database.inWorkspace(workspaceId, async (trx) => {
      const all = { ...measures, ...metered.measure(), pages };
      const file = await createFileRepository(trx).finishFile(begun, all);
      if (!file) throw takenOver();
      return recordFile(trx, file);
    });
  } catch (error) {
    await discard(fileStorage, begun);
    throw error;
  }
}

async function countPages(
  { dependencies, origin, signal }: StoredUpload,
  read: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<number | null> {
  if (origin.mediaType !== 'application/pdf') return null;
  const pages = await dependencies.countPages(read, signal);
  const { maxPages } = dependencies.fileLimits;
  if (pages === null || pages <= maxPages) return pages;
  const message = `The PDF has ${pages} pages, more than the ${maxPages} that are accepted.`;
  throw new HoldfastError('PAYLOAD_TOO_LARGE', message);
}

async function recordFile(trx: Knex, file: FileFacts): Promise<FileFacts> {
  const { id, name, mediaType, size, sha256 } = file;
  const payload = { name, media_type: mediaType, size, sha256 };
  await createAuditLog(trx).record({ type: 'file.created', subjectId: id, payload });
  return file;
}

interface FoundFile {
  file: FileFacts;
  person: string | null;
}

/** Reads the rest of a repeated upload, to compare it. */
async function checkRepeated(
  uploader: Uploader,
  { file, person }: FoundFile,
  { name, content }: { name: string | null; content: MeteredBytes },
): Promise<{ file: FileFacts; accepted: boolean }> {
  await readToEnd(content.content);
  const isSame = content.measure().sha256 === file.sha256 && toStoredName(name) === file.name;
  requireSameRequest(uploader, { thing: 'file', person, isSame, details: { fileId: file.id } });
  return { file, accepted: false };
}

async function readToEnd(content: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = content[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

function inFiles<Result>(
  { fileStorage }: Pick<FileDependencies, 'fileStorage'>,
  workspaceId: string,
  run: (files: ReturnType<typeof createFileRepository>) => Promise<Result>,
): Promise<Result> {
  return fileStorage.database.inWorkspace(workspaceId, (trx) => run(createFileRepository(trx)));
}
