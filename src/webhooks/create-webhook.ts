import { createAuditLog } from '../db/audit/audit-log.ts';
import { createWebhookRepository } from '../db/webhooks/webhook-repository.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Webhook, WebhookInput } from '../domain/webhook.ts';
import { newId } from '../lib/ids.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { createSecret, sealSecrets } from './webhook-secrets.ts';

/** Each event of a turn is written once for each webhook that wants it, in the transaction of the turn. */
const mostWebhooks = 20;

/**
 * Stores a new webhook. `secret` is not shown again.
 * @throws HoldfastError `CONFLICT` when the workspace has 20, `SECRETS_UNAVAILABLE`
 */
export async function createWebhook(
  { database, keyRing }: Pick<WebhookDependencies, 'database' | 'keyRing'>,
  { workspaceId }: { workspaceId: string },
  { url, events, secret = createSecret() }: WebhookInput,
): Promise<{ webhook: Webhook; secret: string }> {
  const id = newId();
  const secrets = sealSecrets(keyRing, { id, workspaceId }, { secret, old: [] });
  const webhook = await database.inWorkspace(workspaceId, async (trx) => {
    const webhooks = createWebhookRepository(trx);
    if ((await webhooks.countWebhooks()) >= mostWebhooks) throw tooMany();
    const created = await webhooks.createWebhook({ id, url, events, secrets });
    const payload = { origin: new URL(url).origin, events };
    await createAuditLog(trx).record({ type: 'webhook.created', subjectId: id, payload });
    return created;
  });
  return { webhook, secret };
}

function tooMany(): HoldfastError {
  return new HoldfastError('CONFLICT', `A workspace has at most ${mostWebhooks} webhooks. Delete one first.`);
}
