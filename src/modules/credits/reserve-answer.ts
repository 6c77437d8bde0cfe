import type { Reservation } from './credit-ledger-repository.ts';
import { estimateCall, fitCall, type CallEstimate } from '../../domain/credits.ts';
import type { ModelCall } from '../../domain/model.ts';
import type { ModelPrice } from '../../domain/prices.ts';
import { createBudgetExceeded, createPriceUnknown } from './budgets/budget-errors.ts';

interface Reserving {
  /** Undefined for a model without a price. */
  price: ModelPrice | undefined;
  /** The credits that the entry of the call has cost before. @default 0n */
  before?: bigint;
  /** Whether the answer is never shortened, as in replays, whose report compares answers. @default false */
  isWhole?: boolean;
  /** Reserves credits; null for a call without a price. */
  reserve: (credits: bigint | null) => Promise<Reservation | null>;
}

/**
 * Reserves the maximum cost of a model call where a budget counts it, and returns the call, whose answer is limited to what is
 * reserved. Near the end of a budget the answer is limited to what is left, if that is enough for one.
 * @throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`
 */
export async function reserveAnswer(
  call: ModelCall,
  { price, before = 0n, isWhole = false, reserve }: Reserving,
): Promise<ModelCall> {
  const whole = price ? estimateCall(call, price) : null;
  const reservation = await reserve(whole && before + whole.credits);
  if (!reservation) return call;
  if (!price || !whole) throw createPriceUnknown(call.model, reservation);
  if (!reservation.breaks) return limitAnswer(call, whole);
  const left = toLeft(reservation) - before;
  const shorter = isWhole ? null : fitCall(call, price, { most: whole.maxOutputTokens, left });
  const again = shorter && (await reserve(before + shorter.credits));
  if (shorter && again?.breaks === false) return limitAnswer(call, shorter);
  throw createBudgetExceeded(`A call of ${call.model}`, again ?? reservation, before + whole.credits);
}

function toLeft({ credits, spent, reserved }: Reservation): bigint {
  return BigInt(credits) - BigInt(spent) - BigInt(reserved);
}

function limitAnswer(call: ModelCall, { credits, maxOutputTokens }: CallEstimate): ModelCall {
  return credits === 0n ? call : { ...call, maxOutputTokens };
}
