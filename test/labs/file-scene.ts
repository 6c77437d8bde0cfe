import type { FileBucket } from '../../src/domain/file.ts';
import { tables } from '../../src/main/modules.ts';
import { createRecordRemoval } from '../../src/modules/retention/create-record-removal.ts';
import { startApi, type Api, type ApiAnswer } from './api-lab.ts';

/** The smallest PNG: its header says the measures, and nothing decodes the rest. */
export function createPng(width: number, height: number, bytes = 100): Buffer {
  const png = Buffer.alloc(Math.max(bytes, 45));
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  Buffer.from('08060000001f15c4890000000049444154', 'hex').copy(png, 24);
  return png;
}

/** Bytes that differ from place to place, so that pieces in a wrong order are noticed. */
export function createBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
  return bytes;
}

interface UploadOptions {
  name?: string;
  type?: string;
  field?: string;
  key?: string;
  idempotencyKey?: string;
}

/** Uploads a file. */
async function uploadFile(
  { url, key: ownKey }: Pick<Api, 'url' | 'key'>,
  content: Uint8Array | string,
  { name = 'file.bin', type = '', field = 'file', key = ownKey, idempotencyKey }: UploadOptions = {},
): Promise<ApiAnswer> {
  const form = new FormData();
  form.append('note', 'a field beside the file');
  form.append(field, new Blob([content], { type }), name);
  const response = await fetch(`${url}/api/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: form,
  });
  const { data, error } = (await response.json()) as ApiAnswer;
  return { status: response.status, headers: response.headers, data, error };
}

/** Starts the API with the calls that tests of files make. */
export async function startFileScene(environment: Record<string, string> = {}) {
  const api = await startApi({}, environment);
  const warnings: string[] = [];
  const { database, fileStorage } = api.services;
  return {
    api,
    warnings,
    close: api.stop,
    /** Removes what was deleted, and what is too old, as a worker does. */
    removeRecords: (bucket: FileBucket | undefined = fileStorage.bucket) =>
      createRecordRemoval({
        ...{ database, bucket, tables },
        logger: { warn: (_fields, message) => void warnings.push(message) },
      })(() => true),
    /** The objects that wait to be removed from the bucket. */
    listRemoved: () => database.system('removed_objects').orderBy('object_key').pluck<string[]>('object_key'),
    /** Lets the next try to remove objects be due. */
    endPause: () => database.system('removed_objects').update({ next_try_at: database.system.fn.now() }),
    upload: (content: Uint8Array | string, options?: UploadOptions) => uploadFile(api, content, options),
    download: async (id: string, key = api.key) => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${api.url}/api/files/${id}/content`, { headers });
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    },
    /** How many rows with files and pieces there are, whole or not. */
    countRows: async () => {
      const count = async (table: string) =>
        (await api.database.system(table).count<{ count: number }[]>())[0]?.count ?? 0;
      return { files: await count('files'), pieces: await count('file_pieces') };
    },
  };
}
