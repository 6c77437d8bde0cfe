import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { KnowledgeBase, KnowledgeDocument } from '../../domain/knowledge.ts';

/** Records a change of a knowledge base in the audit log. */
export async function recordKnowledgeBase(
  trx: Knex,
  verb: 'created' | 'updated' | 'deleted',
  { id, name, change }: Pick<KnowledgeBase, 'id' | 'name'> & { change: JsonObject },
): Promise<void> {
  const payload = { name, ...change };
  await createAuditLog(trx).record({ type: `knowledge_base.${verb}`, subjectId: id, payload });
}

/** Records a change of a document in the audit log, without its text. */
export async function recordDocument(
  trx: Knex,
  verb: 'created' | 'deleted' | 'reprocessed',
  { id, knowledgeBaseId, name, mediaType, bytes }: KnowledgeDocument,
): Promise<void> {
  const payload = { knowledge_base_id: knowledgeBaseId, name, media_type: mediaType, bytes };
  await createAuditLog(trx).record({ type: `document.${verb}`, subjectId: id, payload });
}
