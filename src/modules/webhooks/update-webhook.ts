import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createWebhookRepository, type StoredWebhook } from './webhook-repository.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import type { Webhook, WebhookChange } from '../../domain/webhook.ts';
import { mayStillAct } from '../workspaces/stored-work.ts';
import { checkConnection, toReceiver } from './create-webhook.ts';
import { disableWebhook } from './disable-webhook.ts';
import { checkApprovers, toApproversPayload } from './slack/slack-approvers.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { sealSecrets } from './webhook-secrets.ts';

interface WebhookUpdate {
  id: string;
  change: WebhookChange;
}

/**
 * Changes a webhook. Disabling it cancels its pending deliveries. A changed channel of Slack ends the buttons of the messages
 * that were posted before. The actor that enables a webhook whose maker lost the right to it becomes its maker.
 * @throws HoldfastError `NOT_FOUND`; `INVALID_INPUT` for a change of the other kind of webhook; `SECRETS_UNAVAILABLE`;
 * `FORBIDDEN` for a channel of Slack without the right to decide, or for approvers with more rights than the key
 */
export function updateWebhook(
  { database, keyRing }: Pick<WebhookDependencies, 'database' | 'keyRing'>,
  actor: Actor,
  { id, change }: WebhookUpdate,
): Promise<Webhook> {
  const { enabled, url, events } = change;
  const { workspaceId } = actor;
  return database.inWorkspace(workspaceId, async (trx) => {
    const webhooks = createWebhookRepository(trx);
    const stored = await webhooks.getForUpdate(id);
    authorizeChange(actor, stored.webhook, change);
    const slackValues = await toSlackValues(trx, keyRing, { stored, workspaceId, change });
    await recordChange(trx, actor, { id, change });
    if (enabled === true) await webhooks.enableWebhook(id);
    if (enabled === false) await disableWebhook(trx, id, 'A request disabled it.');
    const by = toActorRef(actor, undefined);
    const { createdBy } = stored;
    const takesOver =
      enabled === true &&
      createdBy !== null &&
      !(await mayStillAct(trx, actor, { createdBy, rights: ['webhooks.write'] }));
    const makers = { ...(takesOver ? { createdBy: by } : {}), changedBy: by };
    return webhooks.updateWebhook(id, { url, events, ...slackValues, ...makers });
  });
}

/** Anybody with the right to webhooks may disable a channel; any other change says who decides there. */
function authorizeChange(actor: Actor, { slack }: Webhook, change: WebhookChange): void {
  if (!slack || (!change.slack && change.enabled !== true)) return;
  authorize(actor, 'channels.decide', 'a channel of Slack');
  checkApprovers(actor, change.slack?.approvers ?? slack.approvers);
}

async function recordChange(trx: Knex, actor: Actor, { id, change }: WebhookUpdate): Promise<void> {
  const { record } = createAuditLog(trx);
  const entry = { subjectId: id, by: toActorRef(actor, undefined) };
  const { approvers, signingSecret } = change.slack ?? {};
  await record({ type: 'webhook.updated', ...entry, payload: toPayload(change) });
  if (signingSecret !== undefined)
    await record({ type: 'webhook.secret_rotated', ...entry, payload: { overlap_ms: 0 } });
  if (approvers !== undefined)
    await record({ type: 'webhook.approvers_changed', ...entry, payload: toApproversPayload(approvers) });
}

interface ChangedWebhook {
  stored: StoredWebhook;
  workspaceId: string;
  change: WebhookChange;
}

async function toSlackValues(
  trx: Knex,
  keyRing: WebhookDependencies['keyRing'],
  { stored: { webhook }, workspaceId, change }: ChangedWebhook,
) {
  refuseOtherKind(webhook, change);
  if (!webhook.slack || !change.slack) return {};
  const { signingSecret, connectionId, channel, approvers } = change.slack;
  if (connectionId !== undefined) await checkConnection(trx, connectionId);
  const slack = {
    connectionId: connectionId ?? webhook.slack.connectionId,
    channel: channel ?? webhook.slack.channel,
  };
  const values = { slack, approvers, endsPosted: true };
  if (signingSecret === undefined) return values;
  return { ...values, secrets: sealSecrets(keyRing, { id: webhook.id, workspaceId }, { signingSecret }) };
}

function refuseOtherKind({ slack }: Webhook, change: WebhookChange): void {
  const excluded = slack ? (['url', 'events'] as const) : (['slack'] as const);
  const given = excluded.filter((field) => change[field] !== undefined);
  if (given.length === 0) return;
  const message = slack
    ? 'expected none: this webhook is a channel of Slack'
    : 'expected none: this webhook has a URL';
  throw createInvalidInput(given.map((field) => ({ field, message })));
}

/** Of the URL only the origin, since its path may hold a secret. */
function toPayload({ url, slack, ...rest }: WebhookChange) {
  return {
    ...(url === undefined ? {} : { origin: new URL(url).origin }),
    ...(slack === undefined ? {} : { slack: Object.keys(slack) }),
    ...(rest.events === undefined ? {} : { events: rest.events }),
    ...(rest.enabled === undefined ? {} : { enabled: rest.enabled }),
  };
}

/** Deletes a webhook with its secrets. What waits to be delivered to it is cancelled. @throws HoldfastError `NOT_FOUND` */
export async function deleteWebhook(
  { database }: Pick<WebhookDependencies, 'database'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (trx) => {
    const payload = toReceiver(await createWebhookRepository(trx).deleteWebhook(id));
    await createAuditLog(trx).record({
      ...{ type: 'webhook.deleted', subjectId: id, payload },
      by: toActorRef(actor, undefined),
    });
  });
}
