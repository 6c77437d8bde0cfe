import { expect, test } from 'vitest';
import type { FileStorageParts } from '../../../src/modules/files/file-dependencies.ts';
import { scanBytes } from '../../../src/modules/files/scan-bytes.ts';
import { createBytes } from '../../labs/file-scene.ts';

const unused = () => Promise.reject(new Error('the database is not used'));
const database = { inWorkspace: unused, pipelined: unused } as FileStorageParts['database'];
const place = { workspaceId: 'w', id: 'f' };
const { signal } = new AbortController();

test('bytes are given to the scanner in pieces, and its scan is ended', async () => {
  const bytes = createBytes(1_500_000);
  const pieces: Uint8Array[] = [];
  const steps: string[] = [];
  const scanFile = (name: string | null) => ({
    write: (piece: Uint8Array) => Promise.resolve(void pieces.push(piece)),
    finish: () => Promise.resolve(void steps.push(`finish ${name}`)),
    cancel: () => void steps.push('cancel'),
  });
  await scanBytes({ database, scanFile }, place, { name: 'a.pdf', bytes, signal });
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([524_288, 524_288, 451_424]);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(steps).toEqual(['finish a.pdf', 'cancel']);
});

test('without a scanner bytes are accepted', async () => {
  await scanBytes({ database }, place, { name: null, bytes: createBytes(100), signal });
});
