import type { Knex } from 'knex';
import { createDeliveryRepository, type DueDelivery } from './delivery-repository.ts';
import { findSeen } from '../../../platform/database/seen-rows.ts';
import { toQuery } from '../../../platform/database/statement.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { listCounting } from '../../../domain/rotated-secrets.ts';
import type { RowScope } from '../../../domain/row-scope.ts';
import type { DeliveryAttempt } from '../../../domain/webhook.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import { deliveryPausesMs, type DeliveryRef, type DeliveryStep } from './delivery-contract.ts';
import { disableWebhook } from '../disable-webhook.ts';
import { judgeAttempt, type Judgement } from './judge-attempt.ts';
import { postMessage } from '../post-message.ts';
import { signMessage } from './sign-message.ts';
import { postToSlack, type PostedToSlack, type SlackDependencies } from './post-to-slack.ts';
import type { WebhookDependencies } from '../webhook-dependencies.ts';
import { findReach } from '../webhook-makers.ts';
import { openSecrets } from '../webhook-secrets.ts';

/** Everything that an attempt needs from outside. */
export interface AttemptDependencies extends Pick<WebhookDependencies, 'database' | 'keyRing'> {
  fetch: GuardedFetch;
  slack: SlackDependencies;
  /** The pauses after failed attempts, in milliseconds. @default those of Standard Webhooks 1.0 */
  pausesMs?: readonly number[] | undefined;
}

/** A delivery that is due, with an enabled webhook. */
type SendableDelivery = DueDelivery & { sealed: Buffer };

/**
 * Sends the message of a delivery when it is due, and stores the response. An attempt whose end could not be stored is
 * repeated, with the same `webhook-id`. A message about what the makers of the webhook do not see is cancelled.
 */
export async function attemptDelivery(
  dependencies: AttemptDependencies,
  ref: DeliveryRef,
): Promise<DeliveryStep> {
  const { database } = dependencies;
  const found = await database.inWorkspace(ref.workspaceId, (trx) => findSendable(trx, ref));
  if ('step' in found) return found.step;
  const { due, seen } = found;
  if (typeof seen === 'string' || (await database.inWorkspace(seen, (trx) => isSeen(trx, ref))))
    return attempt(dependencies, ref, due);
  await database.inWorkspace(ref.workspaceId, (trx) => createDeliveryRepository(trx).cancel(ref.deliveryId));
  return toStep(due, { status: 'cancelled', waitMs: null });
}

async function isSeen(trx: Knex, { deliveryId }: DeliveryRef): Promise<boolean> {
  return (await findSeen(toQuery(trx), 'delivery', deliveryId)) !== null;
}

/**
 * Returns a delivery that is due, or how it is with one that is not. Cancels one whose webhook takes no messages, and
 * disables a webhook whose makers lost the right to it.
 */
async function findSendable(
  trx: Knex,
  { workspaceId, deliveryId }: DeliveryRef,
): Promise<{ due: SendableDelivery; seen: RowScope } | { step: DeliveryStep }> {
  const deliveries = createDeliveryRepository(trx);
  const due = await deliveries.findDue(deliveryId);
  if (due?.status !== 'pending') {
    return { step: toStep(due, { status: due?.status ?? 'cancelled', waitMs: null }) };
  }
  const { webhookId, sealed, isEnabled, waitMs } = due;
  if (isEnabled && sealed && waitMs > 0) return { step: toStep(due, due) };
  if (isEnabled && sealed) {
    const reach = await findReach(toQuery(trx), { workspaceId, ...due });
    if ('seen' in reach) return { due: { ...due, sealed }, ...reach };
    await disableWebhook(trx, webhookId, reach.lost);
  }
  await deliveries.cancel(deliveryId);
  return { step: toStep(due, { status: 'cancelled', waitMs: null }) };
}

async function attempt(
  dependencies: AttemptDependencies,
  ref: DeliveryRef,
  due: SendableDelivery,
): Promise<DeliveryStep> {
  const sentAt = Date.now();
  const { retryAfterMs, result, ...outcome } = await post(dependencies, ref, due);
  const made = { at: new Date(sentAt).toISOString(), durationMs: Date.now() - sentAt, ...outcome };
  const { attempts: before, byHand } = due;
  const { pausesMs = deliveryPausesMs, database } = dependencies;
  const judgement = judgeAttempt({ posted: { ...outcome, retryAfterMs }, before, byHand, pausesMs });
  await database.inWorkspace(ref.workspaceId, (trx) =>
    storeAttempt(trx, { ref, due, attempt: made, judgement, result }),
  );
  const { status, waitMs } = judgement;
  return toStep(
    { attempts: before + 1, lastAttempt: made },
    { status, waitMs: status === 'pending' ? waitMs : null },
  );
}

async function post(
  { fetch, keyRing, slack: slackDependencies }: AttemptDependencies,
  ref: DeliveryRef,
  due: SendableDelivery,
): Promise<PostedToSlack> {
  const { workspaceId, deliveryId } = ref;
  const { webhookId, sealed, url, slack, type, createdAt, data } = due;
  if (slack) return postToSlack(slackDependencies, ref, { ...due, slack });
  const secrets = listCounting(openSecrets(keyRing, { id: webhookId, workspaceId, sealed }));
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
  const headers = signMessage(secrets, { id: deliveryId, body, sentAt: Date.now() });
  // A webhook without a channel has a URL.
  const posted = await postMessage(fetch, { url: url ?? '', headers, body, secrets });
  return { ...posted, result: null };
}

interface EndedAttempt {
  ref: DeliveryRef;
  due: SendableDelivery;
  attempt: DeliveryAttempt;
  judgement: Judgement;
  result: JsonObject | null;
}

async function storeAttempt(trx: Knex, { ref, due, attempt, judgement, result }: EndedAttempt) {
  const { webhookId, attempts } = due;
  const { deliveryId: id } = ref;
  const { status, waitMs, disables } = judgement;
  const deliveries = createDeliveryRepository(trx);
  await deliveries.storeAttempt({ id, attempt, status, waitMs, result });
  if (disables === 'gone') await disableWebhook(trx, webhookId, 'Its receiver answered 410 Gone.');
  // A receiver that takes newer messages works; it only refuses this one.
  if (disables !== 'exhausted' || (await deliveries.hasLaterArrival(webhookId, id))) return;
  const last = attempt.error ?? '';
  await disableWebhook(trx, webhookId, `Delivery ${id} failed ${attempts + 1} times. The last time: ${last}`);
}

function toStep(
  known: Pick<DueDelivery, 'attempts' | 'lastAttempt'> | null,
  { status, waitMs }: Pick<DeliveryStep, 'status' | 'waitMs'>,
): DeliveryStep {
  const last = known?.lastAttempt;
  const lastAnswer = last ? (last.status === null ? last.error : String(last.status)) : null;
  return { status, attempts: known?.attempts ?? 0, lastAnswer, waitMs };
}
