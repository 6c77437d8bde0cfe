import { createAuditLog } from '../db/audit/audit-log.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { FilePlace } from '../domain/file.ts';
import type { FileStorageParts } from './file-dependencies.ts';

/** Records that the virus scan refused a file; does nothing for another error. */
export async function recordRefusal(
  { database }: Pick<FileStorageParts, 'database'>,
  { workspaceId, id }: FilePlace,
  { name, error }: { name: string | null; error: unknown },
): Promise<void> {
  if (!(error instanceof HoldfastError) || error.code !== 'FILE_REFUSED') return;
  await database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).record({
      ...{ type: 'file.refused', subjectId: id },
      payload: { name, reason: error.message },
    }),
  );
}
