import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { FileFacts } from '../../domain/file.ts';
import { toOwnerKey } from '../../domain/person.ts';
import { toStorableJson, toStorableText } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { toHeirs } from './copied-files.ts';
import { fileColumns, toFileFacts, type FileRow, type FileStorage } from './file-rows.ts';
import { toStorableMediaType } from './media-type.ts';

const maxNameLength = 200;

/** The origin of a file: a turn whose tool made it, or the actor of an upload. */
export interface FileOrigin {
  /** @default a new one */
  id?: string;
  name?: string | null | undefined;
  mediaType: string;
  turnId?: string | undefined;
  createdBy?: ActorRef | undefined;
  /** The only conversations for which it is uploaded. @default all */
  conversations?: readonly string[] | undefined;
}

/** Facts that are known once all bytes were read. */
export interface FileMeasures {
  size: number;
  sha256: string;
  pages?: number | null;
  width?: number | null;
  height?: number | null;
}

/** One of the uploads of a file; those with the same `Idempotency-Key` have the same id. */
export interface FileAttempt {
  id: string;
  attempt: string;
}

/** A file with the location of its bytes. */
export interface PlacedFile {
  facts: FileFacts;
  storage: FileStorage;
  objectKey: string | null;
}

/** Files of one workspace: uploads, binary parts of results, and documents. */
export function createFileRepository(trx: Knex) {
  /** Finds a file, whole or not; null when there is none. */
  const findRow = async (id: string): Promise<FileRow | null> =>
    (await trx('files').where({ id }).first<FileRow | undefined>(trx.raw(fileColumns))) ?? null;

  return {
    /**
     * Stores a file in its row. Replaces one of the same person with the same id whose upload has not ended. An invalid media type
     * becomes `application/octet-stream`.
     */
    createFile: async ({
      bytes,
      ...origin
    }: FileOrigin & { bytes: Uint8Array } & Partial<FileMeasures>): Promise<FileFacts> => {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const sha256 = origin.sha256 ?? createHash('sha256').update(body).digest('hex');
      const { pages = null, width = null, height = null } = origin;
      const columns = { bytes: body, size: body.byteLength, sha256, pages, width, height };
      if (origin.id !== undefined) await deleteUnfinished(trx, origin);
      const [row] = await trx('files')
        .insert({ ...toColumns(origin), ...columns })
        .returning<FileRow[]>(trx.raw(fileColumns));
      return toFileFacts(row as FileRow);
    },

    /** Stores the row of a file whose bytes follow, and replaces one as `createFile` does. */
    beginFile: async (
      { attempt, ...origin }: FileOrigin & FileAttempt,
      { storage, objectKey = null }: { storage: FileStorage; objectKey?: string | null },
    ): Promise<void> => {
      await deleteUnfinished(trx, origin);
      const location = { place: storage, object_key: objectKey, attempt, is_whole: false, sha256: '' };
      await trx('files').insert({ ...toColumns(origin), ...location });
    },

    /**
     * Makes a file whole, so that it can be read. Null when its row is gone: another upload has replaced it.
     * @throws HoldfastError `SERVICE_UNAVAILABLE` when a crash of Postgres has lost some of its pieces
     */
    finishFile: async ({ id, attempt }: FileAttempt, measures: FileMeasures): Promise<FileFacts | null> => {
      const [row] = await trx('files')
        .where({ id, attempt, is_whole: false })
        .update({ ...measures, is_whole: true })
        .returning<(FileRow & { stored: string | null })[]>(
          trx.raw(`${fileColumns}, ${storedBytes} AS stored`),
        );
      if (row?.place === 'pieces' && Number(row.stored) !== measures.size) throw createPiecesLost();
      return row ? toFileFacts(row) : null;
    },

    /** Removes a file whose upload broke off, with its pieces. */
    discardFile: async ({ id, attempt }: FileAttempt): Promise<void> => {
      await trx('files').where({ id, attempt, is_whole: false }).delete();
    },

    /** Finds a whole file by its id and the person to whom it belongs, for a request that is repeated. */
    findFile: async (id: string): Promise<{ file: FileFacts; person: string | null } | null> => {
      const row = await findRow(id);
      return row?.is_whole ? { file: toFileFacts(row), person: row.person } : null;
    },

    /** @throws HoldfastError `NOT_FOUND`, also for a file of a deleted conversation that no fork of it has */
    getFile: (id: string): Promise<PlacedFile> => getFile(trx, id),

    /** Lists uploaded files, newest first. */
    listFiles: async ({ cursor, limit }: PageRequest): Promise<Page<FileFacts>> => {
      const query = trx('files').whereNotNull('created_by').where({ is_whole: true }).orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      const rows = await query.limit(limit + 1).select<FileRow[]>(trx.raw(fileColumns));
      return toPage(rows, limit, toFileFacts);
    },

    /**
     * Deletes an uploaded file and its uses: messages keep its id.
     * @throws HoldfastError `NOT_FOUND`, or `CONFLICT` for a file of a tool result or a document
     */
    deleteFile: (id: string): Promise<FileFacts> => deleteFile(trx, id),
  };
}

/** The bytes of all pieces. Postgres knows the length of a value without reading it. */
const storedBytes = '(SELECT sum(octet_length(p.bytes)) FROM file_pieces p WHERE p.file_id = files.id)';

/** The commits of pieces do not wait for the disk, and an upload continues when Postgres is back. */
function createPiecesLost(): HoldfastError {
  const message = 'The database was restarted and has lost a part of the file. Send it again.';
  return new HoldfastError('SERVICE_UNAVAILABLE', message);
}

async function getFile(trx: Knex, id: string): Promise<PlacedFile> {
  const deleted = trx('turns as t')
    .join('conversations as c', 'c.id', 't.conversation_id')
    .whereRaw('t.id = files.turn_id')
    .whereNotNull('c.deleted_at');
  const row = await trx('files')
    .where({ id, is_whole: true })
    .where((file) => void file.whereNotExists(deleted).orWhereRaw(`EXISTS (${toHeirs('files')})`))
    .first<FileRow | undefined>(trx.raw(fileColumns));
  if (!row) throw fileNotFound(id);
  return { facts: toFileFacts(row), storage: row.place, objectKey: row.object_key };
}

async function deleteFile(trx: Knex, id: string): Promise<FileFacts> {
  // The lock keeps messages that are stored at this moment from using the file.
  const row = await trx('files')
    .where({ id, is_whole: true })
    .forUpdate()
    .first<FileRow | undefined>(trx.raw(fileColumns));
  if (!row) throw fileNotFound(id);
  if (row.created_by === null) throw notAnUpload(id);
  await trx('file_uses').where({ file_id: id }).delete();
  await trx('files').where({ id }).delete();
  return toFileFacts(row);
}

/** Returns the name of a file as it is stored. */
export function toStoredName(name: string | null | undefined): string | null {
  return typeof name === 'string' ? toStorableText(name.slice(0, maxNameLength)) : null;
}

async function deleteUnfinished(trx: Knex, { id, createdBy }: FileOrigin): Promise<void> {
  await trx('files')
    .where({ id, is_whole: false, person: toOwnerKey(createdBy?.actingFor) })
    .delete();
}

function toColumns({ id = newId(), name, mediaType, turnId, createdBy, conversations }: FileOrigin): object {
  return {
    id,
    turn_id: turnId ?? null,
    name: toStoredName(name),
    media_type: toStorableMediaType(mediaType),
    created_by: createdBy === undefined ? null : toStorableJson(createdBy),
    person: toOwnerKey(createdBy?.actingFor),
    conversations: conversations ?? null,
  };
}

function fileNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no file ${id}.`);
}

function notAnUpload(id: string): HoldfastError {
  const message = `The file ${id} was not uploaded: it belongs to a tool result or a document. Delete its conversation or its document.`;
  return new HoldfastError('CONFLICT', message);
}
