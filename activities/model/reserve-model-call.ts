import type { CallToReserve } from '../../src/modules/credits/credit-ledger-repository.ts';
import { reserveAnswer } from '../../src/modules/credits/reserve-answer.ts';
import type { ModelCall } from '../../src/domain/model.ts';
import { findCallPrice } from '../../src/domain/price-table.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { toCutCredits, type CutCall } from './cut-call.ts';

interface ModelCallReservation {
  input: Pick<CallModelInput, 'workspaceId' | 'turnId' | 'iteration'>;
  step: Pick<TurnStep, 'budgeted' | 'prices'>;
  /** @default that of the iteration's answer */
  entry?: Pick<CallToReserve, 'part' | 'kind'>;
  /** The calls of the same entry that messages have cut short. @default none */
  cut?: readonly CutCall[];
}

/**
 * Reserves the most that a model call can cost where a budget counts it, and returns the call with the limit of its answer.
 * Without budgets nothing is read and the call stays as it is.
 * @throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`
 */
export async function reserveModelCall(
  { pipelined }: Pick<ModelPort, 'pipelined'>,
  { input, step, entry, cut = [] }: ModelCallReservation,
  call: ModelCall,
): Promise<ModelCall> {
  if (!step.budgeted) return call;
  const { workspaceId, turnId, iteration } = input;
  const price = findCallPrice(call, step.prices);
  const answer = { part: `model/${iteration}`, kind: 'model' } as const;
  const asked = { sourceId: turnId, name: call.model, ...(entry ?? answer) };
  return reserveAnswer(call, {
    price,
    before: toCutCredits(cut, step.prices) ?? 0n,
    reserve: (amount) =>
      pipelined(workspaceId, ({ credits }) => credits.reserve({ ...asked, credits: amount })),
  });
}
