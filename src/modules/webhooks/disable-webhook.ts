import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createWebhookRepository } from './webhook-repository.ts';

/** Disables a webhook with a note about why, unless it is disabled; what waits to be delivered to it is cancelled. */
export async function disableWebhook(trx: Knex, id: string, reason: string): Promise<void> {
  const isNew = await createWebhookRepository(trx).disableWebhook(id, reason);
  if (!isNew) return;
  await createAuditLog(trx).record({ type: 'webhook.disabled', subjectId: id, payload: { reason } });
}
