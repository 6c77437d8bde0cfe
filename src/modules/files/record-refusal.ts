import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { FileRef } from '../../domain/file.ts';
import type { FileStorageParts } from './file-dependencies.ts';

/** A file that was not stored because of `error`. */
export interface RefusedFile {
  name: string | null;
  /** The knowledge base to which the file was sent as a document. @default none */
  knowledgeBaseId?: string | undefined;
  error: unknown;
}

/** Records that the virus scan refused a file; does nothing for another error. */
export async function recordRefusal(
  { database }: Pick<FileStorageParts, 'database'>,
  { workspaceId, id }: FileRef,
  { name, knowledgeBaseId, error }: RefusedFile,
): Promise<void> {
  if (!(error instanceof HoldfastError) || error.code !== 'FILE_REFUSED') return;
  const base = knowledgeBaseId === undefined ? {} : { knowledge_base_id: knowledgeBaseId };
  const payload = { ...base, name, reason: error.message };
  await database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).record({ type: 'file.refused', subjectId: id, payload }),
  );
}
