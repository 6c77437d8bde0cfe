import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createWebhookRepository } from './webhook-repository.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { findEndOfOld, replaceSecret } from '../../domain/rotated-secrets.ts';
import type { SecretRotation, Webhook } from '../../domain/webhook.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { createSecret, openSecrets, sealSecrets } from './webhook-secrets.ts';

/**
 * Gives a webhook a new secret, which is not shown again. The present one signs along for the time of the overlap.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` while five replaced secrets sign along, and for a channel of Slack;
 * `SECRETS_UNAVAILABLE`
 */
export function rotateSecret(
  { database, keyRing }: Pick<WebhookDependencies, 'database' | 'keyRing'>,
  actor: Actor,
  { id, secret = createSecret(), overlapMs }: SecretRotation & { id: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const { workspaceId } = actor;
  const by = toActorRef(actor, undefined);
  return database.inWorkspace(workspaceId, async (trx) => {
    const webhooks = createWebhookRepository(trx);
    const { webhook, sealed } = await webhooks.getForUpdate(id);
    if (webhook.slack) throw isSlack();
    const row = { id: webhook.id, workspaceId };
    const secrets = replaceSecret(openSecrets(keyRing, { ...row, sealed }), { secret, overlapMs });
    const rotated = await webhooks.updateWebhook(id, {
      secrets: sealSecrets(keyRing, row, secrets),
      oldSecretsUntil: findEndOfOld(secrets),
      changedBy: by,
    });
    const payload = { overlap_ms: overlapMs };
    await createAuditLog(trx).record({ type: 'webhook.secret_rotated', subjectId: id, payload, by });
    return { webhook: rotated, secret };
  });
}

function isSlack(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    'Slack makes the signing secret of its app. Change it with PATCH and "slack": { "signingSecret": "…" }.',
  );
}
