import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pieceBytes } from '../../../src/modules/files/file-pieces.ts';
import { createFileRepository } from '../../../src/modules/files/file-repository.ts';
import { storeBytes } from '../../../src/modules/files/file-storage.ts';
import type { FileStorageParts } from '../../../src/modules/files/file-dependencies.ts';
import { startCrashingDatabase } from '../../labs/crashing-postgres.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';

test('a file is not whole when a crash of Postgres between two pieces has lost those before', async () => {
  const server = await startCrashingDatabase();
  let rows = await openTurnRows(server.open());
  const { workspaceId } = await rows.createConversation();
  const fileStorage = {
    database: {
      inWorkspace: (scope, run) => rows.database.inWorkspace(scope, run),
      pipelined: (scope, run) => rows.database.pipelined(scope, run),
    },
  } as FileStorageParts;
  async function* upload() {
    yield randomBytes(pieceBytes);
    yield randomBytes(pieceBytes);
    // The second piece is stored when the third one is asked for.
    await server.crash();
    await rows.database.close();
    rows = await openTurnRows(server.open());
    yield randomBytes(pieceBytes);
  }
  const file = { mediaType: 'application/octet-stream', content: upload() };
  const begun = await storeBytes(fileStorage, workspaceId, { ...file, signal: new AbortController().signal });
  const finishing = fileStorage.database.inWorkspace(workspaceId, (trx) =>
    createFileRepository(trx).finishFile(begun, { size: 3 * pieceBytes, sha256: 'sha' }),
  );
  await expect(finishing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await rows.close();
});
