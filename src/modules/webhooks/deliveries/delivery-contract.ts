import type { DeliveryStatus } from '../../../domain/webhook.ts';

/** Names a delivery in its workspace. */
export interface DeliveryRef {
  workspaceId: string;
  deliveryId: string;
}

/** The id of the workflow that delivers a message. */
export function toDeliveryWorkflowId({ deliveryId }: Pick<DeliveryRef, 'deliveryId'>): string {
  return `webhook-${deliveryId}`;
}

/** The signal that wakes a delivery which waits for its next attempt. It carries nothing. */
export const deliverySignal = 'deliveryWoken';

/** The task queue of deliveries. It is not that of turns, so that turns do not wait behind slow receivers. */
export function toWebhookTaskQueue(taskQueue: string): string {
  return `${taskQueue}-webhooks`;
}

/** The result of `attemptDelivery`: the state of the delivery, after an attempt when one was due. */
export interface DeliveryStep {
  status: DeliveryStatus;
  attempts: number;
  /** The answer to the last attempt: an HTTP status or the reason why there was none. */
  lastAnswer: string | null;
  /** How long to wait for the next attempt, in milliseconds; null when the delivery has ended. */
  waitMs: number | null;
}

/** How the workflow of a delivery ended. */
export type DeliveryResult = Omit<DeliveryStep, 'waitMs'>;

/** The activities of the workflow that delivers a message. */
export interface DeliverySteps {
  /** Attempts a delivery when it is due. A failed attempt is a result; an attempt that cannot be stored is an error. */
  attemptDelivery: (delivery: DeliveryRef) => Promise<DeliveryStep>;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses after each failed attempt, in milliseconds: the schedule of Standard Webhooks 1.0, three days long. */
export const deliveryPausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** By how much of itself a pause is longer at most, by chance, so that receivers do not get everything at once again. */
export const deliveryJitter = 0.1;

/** How long a receiver may take to answer, in milliseconds. */
export const deliveryTimeoutMs = 20 * secondMs;
