import { createTriggerDeliveryRepository } from './trigger-delivery-repository.ts';
import { findTriggerAnywhere } from './trigger-repository.ts';
import { toIdKey, type StoredTrigger } from './trigger-rows.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { listCounting } from '../../domain/rotated-secrets.ts';
import type { WebhookRule } from '../../domain/webhook-rule.ts';
import { findSender } from './find-sender.ts';
import { readDelivery, type ReadDelivery } from './read-delivery.ts';
import type { TriggerDependencies } from './trigger-dependencies.ts';
import { openTriggerSecrets } from './trigger-secrets.ts';
import { verifyDelivery, type HookRequest, type Refusal } from './verify-delivery.ts';

/** The answer to a delivery: the id under which it is stored, or the text that a check of the URL asks for. */
export type HookAnswer = { deliveryId: string } | { challenge: string };

/** A delivery whose signature is right. */
type VerifiedDelivery = ReadDelivery & { contentHash: string };

type ReceiveDependencies = Pick<
  TriggerDependencies,
  'database' | 'keyRing' | 'rateLimiter' | 'startTriggered'
>;

/**
 * Takes a delivery: verifies it over the bytes of its body, stores it, and then starts its work without waiting. The same
 * delivery again starts nothing, and gets the same answer.
 * @throws HoldfastError `UNAUTHORIZED` without a valid signature, also when there is no such trigger; `RATE_LIMITED`,
 * `SECRETS_UNAVAILABLE`
 */
export async function receiveDelivery(
  dependencies: ReceiveDependencies,
  triggerId: string,
  request: HookRequest,
): Promise<HookAnswer> {
  const { database } = dependencies;
  const found = await findTriggerAnywhere(database.system, triggerId);
  if (!found) throw unsigned();
  const { trigger, workspaceId } = found;
  const { rule } = findSender(trigger);
  const secrets = openSecrets(dependencies, found);
  const read = secrets
    ? verifyAndRead(rule, secrets, request)
    : { refusal: 'the secret of the trigger is not set' as const };
  if ('refusal' in read) {
    await noteRefusal(dependencies, { workspaceId, triggerId: trigger.id }, read.refusal);
    throw unsigned();
  }
  if (read.challenge !== null) return { challenge: read.challenge };
  await takeFromLimit(dependencies, trigger);
  const reason = findReason(trigger, rule, read);
  const stored = await database.inWorkspace(workspaceId, (trx) =>
    createTriggerDeliveryRepository(trx).store({
      ...{ triggerId: trigger.id, event: read.event, reason, ...toKeys(rule, read) },
      status: reason === null ? 'accepted' : 'ignored',
      action: reason === null ? trigger.action : null,
      payload: reason === null ? read.payload : undefined,
    }),
  );
  if (stored.isNew && reason === null) dependencies.startTriggered({ workspaceId, deliveryId: stored.id });
  return { deliveryId: stored.id };
}

function openSecrets(
  { keyRing }: Pick<ReceiveDependencies, 'keyRing'>,
  {
    trigger: { id },
    workspaceId,
    sealed,
  }: { trigger: StoredTrigger; workspaceId: string; sealed: Buffer | null },
): string[] | null {
  return sealed && listCounting(openTriggerSecrets(keyRing, { id, workspaceId, sealed }));
}

function verifyAndRead(
  rule: WebhookRule,
  secrets: string[],
  request: HookRequest,
): VerifiedDelivery | { refusal: Refusal } {
  const signed = verifyDelivery(rule, secrets, request);
  if ('refusal' in signed) return signed;
  const read = readDelivery(rule, request);
  return 'refusal' in read ? read : { ...read, ...signed };
}

/** Says nothing about why, and nothing about whether there is such a trigger; the list of deliveries says why. */
function unsigned(): HoldfastError {
  return new HoldfastError(
    'UNAUTHORIZED',
    'Expected a delivery of this trigger with a valid signature and time.',
  );
}

/** Anybody may send requests without a signature, so one a minute is listed for each reason. */
async function noteRefusal(
  { database }: Pick<ReceiveDependencies, 'database'>,
  { workspaceId, triggerId }: { workspaceId: string; triggerId: string },
  refusal: Refusal,
): Promise<void> {
  const minute = new Date().toISOString().slice(0, 16);
  await database.inWorkspace(workspaceId, (trx) =>
    createTriggerDeliveryRepository(trx).store({
      ...{ triggerId, deliveryKey: `refused:${refusal} ${minute}`, contentHash: null, event: null },
      ...{ status: 'refused', reason: refusal, action: null, payload: undefined },
    }),
  );
}

async function takeFromLimit(
  { rateLimiter }: Pick<ReceiveDependencies, 'rateLimiter'>,
  { id, maxPerMinute }: StoredTrigger,
): Promise<void> {
  const limit = { tokensPerMinute: maxPerMinute, tokensPerRequest: 1 };
  const grant = await rateLimiter.take({ key: `trigger:${id}`, limit, maxWaitMs: 0 });
  if (grant.granted) return;
  const message = `The trigger takes ${maxPerMinute} deliveries in a minute.`;
  const retryAfterMs = grant.retryAfterMs ?? 60_000;
  throw new HoldfastError('RATE_LIMITED', message, { retryAfterMs, details: { retryAfterMs } });
}

/** Why a delivery starts nothing; null when it does, unless the filter of the trigger says otherwise. */
function findReason(
  { paused, events, includeBots }: StoredTrigger,
  { testEvents = [] }: WebhookRule,
  { event, isFromBot }: ReadDelivery,
): string | null {
  if (paused) return 'the trigger is paused';
  if (event !== null && testEvents.includes(event)) return 'it is a test of the sender';
  if (!events.some((filter) => fits(filter, event))) return 'the trigger has no such event';
  if (isFromBot && !includeBots) return 'a program has caused it';
  return null;
}

function fits(filter: string, event: string | null): boolean {
  if (filter === '*' || filter === event) return true;
  if (event === null || !filter.endsWith('.*')) return false;
  return event === filter.slice(0, -2) || event.startsWith(filter.slice(0, -1));
}

/**
 * The keys by which a repeated delivery is recognized. Anyone who has seen a delivery can send it again with another id
 * when the id is not signed, so such deliveries are recognized by their signed content too.
 */
function toKeys({ signature, deliveryId }: WebhookRule, { id, contentHash }: VerifiedDelivery) {
  const isSigned = deliveryId && ('field' in deliveryId || signature.content.includes('{id}'));
  return {
    deliveryKey: id === null ? `content:${contentHash}` : toIdKey(id),
    contentHash: id === null || isSigned ? null : Buffer.from(contentHash, 'hex'),
  };
}
