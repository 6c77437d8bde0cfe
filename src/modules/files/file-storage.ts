import { createFileRepository, type FileAttempt, type FileOrigin } from './file-repository.ts';
import { pieceBytes, readBytesOfRow, readPieces, storePiece } from './file-pieces.ts';
import type { PlacedFile } from './file-repository.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { FileRef } from '../../domain/file.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPieces } from './file-bytes.ts';
import type { FileStorageParts } from './file-dependencies.ts';

/** The maximum number of bytes of a file that is kept in its row, also when a bucket is configured. */
export const maxRowBytes = 256 * 1024;

/** A file whose bytes are stored, but which cannot be read yet. */
export interface BegunFile extends FileRef, FileAttempt {
  objectKey: string | null;
}

/**
 * Stores the bytes of a file as they arrive: in the bucket, or without one in pieces in the database. `finishFile` of the
 * repository makes it whole. When anything fails, {@link discard} has removed what was stored.
 */
export async function storeBytes(
  parts: FileStorageParts,
  workspaceId: string,
  { signal, content, ...file }: FileOrigin & { content: AsyncIterable<Uint8Array>; signal: AbortSignal },
): Promise<BegunFile> {
  const { database, bucket } = parts;
  const { id = newId(), mediaType } = file;
  // Each attempt has its own object, so that the removal of one that broke off cannot remove its repetition.
  const attempt = newId();
  const objectKey = bucket ? `${workspaceId}/${id}/${attempt}` : null;
  const begun = { workspaceId, id, attempt, objectKey };
  await database.inWorkspace(workspaceId, (trx) =>
    createFileRepository(trx).beginFile(
      { ...file, id, attempt },
      { storage: bucket ? 'bucket' : 'pieces', objectKey },
    ),
  );
  try {
    if (bucket && objectKey !== null) await bucket.put({ key: objectKey, mediaType, content, signal });
    else await storePieces(parts, begun, { content, signal });
    return begun;
  } catch (error) {
    await discard(parts, begun);
    throw error;
  }
}

async function storePieces(
  { database }: FileStorageParts,
  { attempt, ...ref }: FileRef & FileAttempt,
  { content, signal }: { content: AsyncIterable<Uint8Array>; signal: AbortSignal },
): Promise<void> {
  let position = 0;
  for await (const bytes of toPieces(content, pieceBytes)) {
    signal.throwIfAborted();
    if (!(await storePiece(database, ref, { attempt, position, bytes }))) throw takenOver();
    position += 1;
  }
}

/** Removes a file that cannot become whole. One that is forgotten here is removed with the old records. */
export async function discard({ database }: FileStorageParts, file: BegunFile): Promise<void> {
  await database
    .inWorkspace(file.workspaceId, (trx) => createFileRepository(trx).discardFile(file))
    .catch(() => undefined);
}

/** Reads the bytes of a file from where they are. */
export async function* readBytes(
  { database, bucket }: FileStorageParts,
  ref: FileRef,
  {
    storage,
    objectKey,
    signal,
  }: Pick<PlacedFile, 'storage' | 'objectKey'> & { signal?: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  if (storage === 'row') {
    const bytes = await readBytesOfRow(database, ref);
    if (bytes) yield bytes;
  } else if (objectKey === null) {
    yield* readPieces(database, ref);
  } else {
    if (!bucket) throw withoutBucket();
    yield* await bucket.open({ key: objectKey, signal });
  }
}

/** The error of an upload that another one with the same `Idempotency-Key` has replaced. */
export function takenOver(): HoldfastError {
  const message = 'Another upload with the same Idempotency-Key has taken the place of this one.';
  return new HoldfastError('CONFLICT', message);
}

function withoutBucket(): HoldfastError {
  const message = 'The file is in a bucket, and this program has none: HOLDFAST_FILES_BUCKET is not set.';
  return new HoldfastError('SERVICE_UNAVAILABLE', message);
}
