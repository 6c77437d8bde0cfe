import { createAuditLog } from '../db/audit/audit-log.ts';
import { createWebhookRepository } from '../db/webhooks/webhook-repository.ts';
import type { Webhook, WebhookChange } from '../domain/webhook.ts';
import { disableWebhook } from './disable-webhook.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';

/** Changes a webhook. When it is disabled, what waits to be delivered to it is cancelled. @throws HoldfastError `NOT_FOUND` */
export function updateWebhook(
  { database }: Pick<WebhookDependencies, 'database'>,
  { workspaceId }: { workspaceId: string },
  { id, change }: { id: string; change: WebhookChange },
): Promise<Webhook> {
  const { enabled, ...values } = change;
  return database.inWorkspace(workspaceId, async (trx) => {
    const webhooks = createWebhookRepository(trx);
    await webhooks.getForUpdate(id);
    await createAuditLog(trx).record({ type: 'webhook.updated', subjectId: id, payload: toPayload(change) });
    if (enabled === true) await webhooks.enableWebhook(id);
    if (enabled === false) await disableWebhook(trx, id, 'A request disabled it.');
    return webhooks.updateWebhook(id, values);
  });
}

/** Of the URL only the origin, since its path may hold a secret. */
function toPayload({ url, ...rest }: WebhookChange) {
  return {
    ...(url === undefined ? {} : { origin: new URL(url).origin }),
    ...(rest.events === undefined ? {} : { events: rest.events }),
    ...(rest.enabled === undefined ? {} : { enabled: rest.enabled }),
  };
}

/** Deletes a webhook with its secrets. What waits to be delivered to it is cancelled. @throws HoldfastError `NOT_FOUND` */
export async function deleteWebhook(
  { database }: Pick<WebhookDependencies, 'database'>,
  { workspaceId }: { workspaceId: string },
  id: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const { url } = await createWebhookRepository(trx).deleteWebhook(id);
    const payload = { origin: new URL(url).origin };
    await createAuditLog(trx).record({ type: 'webhook.deleted', subjectId: id, payload });
  });
}
