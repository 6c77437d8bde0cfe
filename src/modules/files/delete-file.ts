import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createFileRepository } from './file-repository.ts';
import type { Viewer } from '../../domain/actor.ts';
import { requireOwn } from '../workspaces/require-seen.ts';
import type { FileDependencies } from './file-dependencies.ts';

/**
 * Deletes an uploaded file, also one that messages name. Its bytes in the database are gone at once, an object in a bucket
 * shortly afterwards.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN` for that of another person, or `CONFLICT` for a file of a tool result or a document
 */
export async function deleteFile(
  { fileStorage: { database } }: Pick<FileDependencies, 'fileStorage'>,
  actor: Viewer,
  id: string,
): Promise<void> {
  await requireOwn(database, actor, { kind: 'file', id });
  await database.inWorkspace(actor.workspaceId, async (trx) => {
    const { name, mediaType, size, sha256 } = await createFileRepository(trx).deleteFile(id);
    const payload = { name, media_type: mediaType, size, sha256 };
    await createAuditLog(trx).record({ type: 'file.deleted', subjectId: id, payload });
  });
}
