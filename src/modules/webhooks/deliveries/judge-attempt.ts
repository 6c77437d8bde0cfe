import { deliveryJitter } from './delivery-contract.ts';
import type { DeliveryStatus } from '../../../domain/webhook.ts';
import type { Posted } from '../post-message.ts';

/** An attempt, and what is known of those before it. */
interface Judged {
  posted: Pick<Posted, 'status' | 'error' | 'retryAfterMs'>;
  /** How many attempts were made before this one. */
  before: number;
  /** Whether a person asked for it after the delivery had ended. */
  byHand: boolean;
  /** The pauses after failed attempts, in milliseconds. */
  pausesMs: readonly number[];
}

/** The state of a delivery after an attempt. */
export interface Judgement {
  status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'failed'>;
  /** Until the next attempt; 0 when there is none. */
  waitMs: number;
  /** Why the webhook is disabled; null when it stays enabled. */
  disables: 'gone' | 'exhausted' | null;
}

const gone = 410;

/** Decides the next state of a delivery. `chance` is a number from 0 to 1. */
export function judgeAttempt(
  { posted, before, byHand, pausesMs }: Judged,
  chance: () => number = Math.random,
): Judgement {
  if (posted.error === null) return { status: 'delivered', waitMs: 0, disables: null };
  if (posted.status === gone) return { status: 'failed', waitMs: 0, disables: 'gone' };
  const pauseMs = pausesMs[before];
  if (byHand) return { status: 'failed', waitMs: 0, disables: null };
  if (pauseMs === undefined) return { status: 'failed', waitMs: 0, disables: 'exhausted' };
  const waitMs = Math.ceil(pauseMs * (1 + deliveryJitter * chance()));
  return { status: 'pending', waitMs: Math.max(waitMs, posted.retryAfterMs ?? 0), disables: null };
}
