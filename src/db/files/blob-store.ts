import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { HoldfastError } from '../../domain/errors.ts';
import { toStorableText } from '../../domain/storable.ts';
import type { BlobStore, NewBlob } from '../../domain/tool.ts';
import { newId } from '../../lib/ids.ts';
import type { Database } from '../connect-database.ts';
import { toHeirs } from './copied-files.ts';

/** A stored file. */
export interface Blob {
  id: string;
  name: string | null;
  mediaType: string;
  bytes: Buffer;
  /** SHA-256 of the bytes in hex. */
  sha256: string;
}

interface BlobRow {
  id: string;
  turn_id: string | null;
  name: string | null;
  media_type: string;
  bytes: Buffer;
  sha256: string;
}

/** A media type (RFC 9110, section 8.3.1) with plain parameters only, since it is sent in a header unchanged. */
const mediaTypePattern =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}([ \t]*;[ \t]*[\w-]{1,50}=[\w.+-]{1,100})*$/;
const unknownType = 'application/octet-stream';
const maxNameLength = 200;

/** Files of one workspace: binary parts of results, and uploads. */
export function createBlobRepository(trx: Knex) {
  return {
    /** Stores a file. An invalid media type becomes `application/octet-stream`. */
    createBlob: async ({
      bytes,
      mediaType,
      name,
      turnId,
    }: Omit<NewBlob, 'workspaceId'>): Promise<{ id: string }> => {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const id = newId();
      await trx<BlobRow>('blobs').insert({
        id,
        turn_id: turnId ?? null,
        name: name === undefined ? null : toStorableText(name.slice(0, maxNameLength)),
        media_type: mediaTypePattern.test(mediaType) ? mediaType.toLowerCase() : unknownType,
        bytes: body,
        sha256: createHash('sha256').update(body).digest('hex'),
      });
      return { id };
    },

    /** @throws HoldfastError `NOT_FOUND`, also for a file of a deleted conversation that no fork of it has */
    getBlob: async (id: string): Promise<Blob> => {
      const deleted = trx('turns as t')
        .join('conversations as c', 'c.id', 't.conversation_id')
        .whereRaw('t.id = blobs.turn_id')
        .whereNotNull('c.deleted_at');
      const row = await trx<BlobRow>('blobs')
        .where({ id })
        .where((file) => void file.whereNotExists(deleted).orWhereRaw(`EXISTS (${toHeirs('blobs')})`))
        .first();
      if (!row) throw new HoldfastError('NOT_FOUND', `There is no file ${id}.`);
      const { name, media_type: mediaType, bytes, sha256 } = row;
      return { id, name, mediaType, bytes, sha256 };
    },
  };
}

/** Stores files in the database, each in a transaction of its own. */
export function createBlobStore(database: Pick<Database, 'inWorkspace'>): BlobStore {
  return {
    put: ({ workspaceId, ...blob }) =>
      database.inWorkspace(workspaceId, (trx) => createBlobRepository(trx).createBlob(blob)),
    get: ({ workspaceId, id }) =>
      database.inWorkspace(workspaceId, (trx) => createBlobRepository(trx).getBlob(id)),
  };
}
