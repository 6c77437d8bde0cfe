import { createBudgetExceeded, createPriceUnknown } from '../../src/credits/budget-errors.ts';
import { estimateCall, toModelCredits } from '../../src/domain/credits.ts';
import type { CallLanguageModel } from '../../src/domain/model.ts';
import { findCallPrice } from '../../src/domain/price-table.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { Lane } from '../../src/domain/replay.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

interface BudgetedRun extends Pick<ActivityDependencies, 'pipelined'> {
  workspaceId: string;
  replayId: string;
  /** Names the run in the ledger of credits. */
  part: string;
  lane: Lane;
  prices: Prices;
}

/**
 * Returns a model whose calls are reserved as the cost of one run of a replay, which is settled when the run is stored: what
 * the run has spent so far, and the most that its next call can cost.
 * @throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`, and those of the model, when called
 */
export function withBudget(callModel: CallLanguageModel, run: BudgetedRun): CallLanguageModel {
  const { pipelined, workspaceId, replayId: sourceId, part, lane, prices } = run;
  const named = { sourceId, part, kind: 'replay', name: lane } as const;
  let spent = 0n;
  return async (call) => {
    const price = findCallPrice(call, prices);
    const estimate = price ? estimateCall(call, price) : null;
    const needed = estimate && spent + estimate.credits;
    const reservation = await pipelined(workspaceId, ({ credits }) =>
      credits.reserve({ ...named, credits: needed }),
    );
    if (reservation && !estimate) throw createPriceUnknown(call.model, reservation);
    if (reservation?.breaks) throw createBudgetExceeded(`A call of ${call.model}`, reservation, needed ?? 0n);
    const isLimited = reservation !== null && estimate !== null && estimate.credits > 0n;
    const answer = await callModel(isLimited ? { ...call, maxOutputTokens: estimate.maxOutputTokens } : call);
    spent += toModelCredits(answer.usage, price) ?? 0n;
    return answer;
  };
}
