import { createHash } from 'node:crypto';
import type { Database } from '../../src/platform/database/connect-database.ts';
import { newId } from '../../src/platform/lib/ids.ts';

/** A picture of one pixel, as PNG. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface NewFile {
  workspaceId: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Stores a file as an upload does, without the API. Returns its id. */
export async function storeFile(
  database: Pick<Database, 'inWorkspace'>,
  { workspaceId, name, mediaType, bytes }: NewFile,
): Promise<string> {
  const id = newId();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await database.inWorkspace(workspaceId, async (trx) => {
    await trx('files').insert({
      id,
      name,
      media_type: mediaType,
      bytes: Buffer.from(bytes),
      size: bytes.byteLength,
      sha256,
      created_by: {},
    });
  });
  return id;
}
