import { createAuditLog } from '../db/audit/audit-log.ts';
import { createWebhookRepository } from '../db/webhooks/webhook-repository.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { SecretRotation, Webhook } from '../domain/webhook.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { createSecret, openSecrets, sealSecrets, type WebhookSecrets } from './webhook-secrets.ts';

/** Each of them is one more signature in a header. */
const mostOldSecrets = 5;

/**
 * Gives a webhook a new secret, which is not shown again. The present one signs along for the time of the overlap.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` while five replaced secrets sign along, and for a channel of Slack;
 * `SECRETS_UNAVAILABLE`
 */
export function rotateSecret(
  { database, keyRing }: Pick<WebhookDependencies, 'database' | 'keyRing'>,
  { workspaceId }: { workspaceId: string },
  { id, secret = createSecret(), overlapMs }: SecretRotation & { id: string },
): Promise<{ webhook: Webhook; secret: string }> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const webhooks = createWebhookRepository(trx);
    const { webhook, sealed } = await webhooks.getForUpdate(id);
    if (webhook.slack) throw isSlack();
    const row = { id: webhook.id, workspaceId };
    const old = listOld(openSecrets(keyRing, { ...row, sealed }), overlapMs);
    const until = Math.max(0, ...old.map((one) => one.until));
    const rotated = await webhooks.updateWebhook(id, {
      secrets: sealSecrets(keyRing, row, { secret, old }),
      oldSecretsUntil: until === 0 ? null : new Date(until),
    });
    const payload = { overlap_ms: overlapMs };
    await createAuditLog(trx).record({ type: 'webhook.secret_rotated', subjectId: id, payload });
    return { webhook: rotated, secret };
  });
}

function listOld({ secret, old }: WebhookSecrets, overlapMs: number): WebhookSecrets['old'] {
  const now = Date.now();
  const replaced = { secret, until: now + overlapMs };
  const signing = [replaced, ...old].filter(({ until }) => until > now);
  if (signing.length <= mostOldSecrets) return signing;
  const message = `${mostOldSecrets} replaced secrets of the webhook sign along already. Wait until one of them is over.`;
  throw new HoldfastError('CONFLICT', message);
}

function isSlack(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    'Slack makes the signing secret of its app. Change it with PATCH and "slack": { "signingSecret": "…" }.',
  );
}
