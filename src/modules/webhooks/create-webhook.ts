import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createConnectionRepository } from '../connections/connection-repository.ts';
import { createWebhookRepository } from './webhook-repository.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { RotatedSecrets } from '../../domain/rotated-secrets.ts';
import {
  slackEvents,
  type SlackApprover,
  type SlackChannel,
  type Webhook,
  type WebhookEvent,
  type WebhookInput,
} from '../../domain/webhook.ts';
import { newId } from '../../platform/lib/ids.ts';
import { checkApprovers, toApproversPayload } from './slack/slack-approvers.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { createSecret, sealSecrets, type SlackSecrets } from './webhook-secrets.ts';

/** Each event of a turn is written once for each webhook that wants it, in the transaction of the turn. */
const mostWebhooks = 20;

/**
 * Stores a new webhook. `secret` is not shown again; it is null for a channel of Slack, whose secret the caller has.
 * @throws HoldfastError `CONFLICT` when the workspace has 20, `SECRETS_UNAVAILABLE`, `INVALID_INPUT` for a connection
 * that is not one to Slack, `FORBIDDEN` for a channel of Slack without the right to decide, or for approvers with more
 * rights than the key
 */
export async function createWebhook(
  { database, keyRing }: Pick<WebhookDependencies, 'database' | 'keyRing'>,
  actor: Actor,
  input: WebhookInput,
): Promise<{ webhook: Webhook; secret: string | null }> {
  const { workspaceId } = actor;
  if (input.slack) {
    authorize(actor, 'channels.decide', 'a channel of Slack');
    checkApprovers(actor, input.slack.approvers ?? []);
  }
  const id = newId();
  const by = toActorRef(actor, undefined);
  const { secret, secrets, ...values } = toValues(input);
  const sealed = sealSecrets(keyRing, { id, workspaceId }, secrets);
  const webhook = await database.inWorkspace(workspaceId, async (trx) => {
    const webhooks = createWebhookRepository(trx);
    if ((await webhooks.countWebhooks()) >= mostWebhooks) throw tooMany();
    if (values.slack) await checkConnection(trx, values.slack.connectionId);
    const created = await webhooks.createWebhook({ id, ...values, secrets: sealed, createdBy: by });
    const approvers = created.slack ? toApproversPayload(created.slack.approvers) : {};
    const payload = { ...toReceiver(created), events: created.events, ...approvers };
    await createAuditLog(trx).record({ type: 'webhook.created', subjectId: id, payload, by });
    return created;
  });
  return { webhook, secret };
}

interface Values {
  url: string | null;
  slack: SlackChannel | null;
  approvers: SlackApprover[];
  events: WebhookEvent[];
  secrets: RotatedSecrets | SlackSecrets;
  secret: string | null;
}

function toValues({ url, events, slack, secret = createSecret() }: WebhookInput): Values {
  if (slack) {
    const { signingSecret, approvers = [], ...channel } = slack;
    const secrets = { signingSecret };
    return { url: null, slack: channel, approvers, events: [...slackEvents], secrets, secret: null };
  }
  // The schema of the input has refused one without them.
  if (url === undefined || events === undefined) throw new Error('a webhook without a receiver');
  return { url, slack: null, approvers: [], events, secrets: { secret, old: [] }, secret };
}

/** The receiver of a webhook for the audit log: of a URL the origin, since its path may hold a secret. */
export function toReceiver({ url, slack }: Pick<Webhook, 'url' | 'slack'>) {
  if (url !== null) return { origin: new URL(url).origin };
  return { connection_id: slack?.connectionId ?? null, channel: slack?.channel ?? null };
}

/** @throws HoldfastError `INVALID_INPUT` */
export async function checkConnection(trx: Knex, connectionId: string): Promise<void> {
  const found = await createConnectionRepository(trx).findConnection(connectionId);
  if (found?.connection.provider === 'slack') return;
  const what = found ? `one to ${found.connection.provider}` : 'none of this workspace';
  const message = `expected a connection of the provider slack, found ${what}`;
  throw createInvalidInput([{ field: 'slack.connectionId', message }]);
}

function tooMany(): HoldfastError {
  return new HoldfastError('CONFLICT', `A workspace has at most ${mostWebhooks} webhooks. Delete one first.`);
}
