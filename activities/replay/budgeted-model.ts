import { reserveAnswer } from '../../src/modules/credits/reserve-answer.ts';
import { toModelCredits } from '../../src/domain/credits.ts';
import type { ReplayedBy } from '../../src/modules/credits/credit-ledger-repository.ts';
import type { CallLanguageModel } from '../../src/domain/model.ts';
import { findCallPrice } from '../../src/domain/price-table.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { Lane } from '../../src/domain/replay.ts';
import type { StepDependencies } from '../step-dependencies.ts';

interface BudgetedRun extends Pick<StepDependencies, 'pipelined'> {
  workspaceId: string;
  replayId: string;
  /** Names the run in the ledger of credits. */
  part: string;
  lane: Lane;
  /** Whether the workspace has budgets, so that each call is reserved before it is made. */
  isBudgeted: boolean;
  /** The agent and the conversation that the run counts for. */
  of: ReplayedBy;
}

/** The cost of the model calls of a run, by the prices of the workspace. */
export interface RunCost {
  credits: bigint;
  /** Whether all its models have a price. */
  isPriced: boolean;
}

export interface MeteredModel {
  callModel: CallLanguageModel;
  readCost: () => RunCost;
}

/**
 * Returns a model whose calls are counted, and reserved under budgets, as the cost of one run of a replay, which is settled when
 * the run is stored: what the run has spent so far, and the most that its next call can cost. The prices are those of the
 * workspace: prices that a replay brings are for the figures of its report.
 * @throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`, and those of the model, when called
 */
export function meterModel(callModel: CallLanguageModel, run: BudgetedRun): MeteredModel {
  const { workspaceId, pipelined, isBudgeted } = run;
  const cost: RunCost = { credits: 0n, isPriced: true };
  let known: Promise<Prices> | null = null;
  const readPrices = () => (known ??= pipelined(workspaceId, ({ credits }) => credits.readPrices()));
  const callMetered: CallLanguageModel = async (call) => {
    const prices = await readPrices();
    const answer = isBudgeted
      ? await callReserved(callModel, call, { run, prices, spent: cost.credits })
      : await callModel(call);
    const credits = toModelCredits(answer.usage, findCallPrice(call, prices));
    cost.credits += credits ?? 0n;
    cost.isPriced &&= credits !== null;
    return answer;
  };
  return { callModel: callMetered, readCost: () => ({ ...cost }) };
}

interface Reserving {
  run: BudgetedRun;
  prices: Prices;
  spent: bigint;
}

async function callReserved(
  callModel: CallLanguageModel,
  call: Parameters<CallLanguageModel>[0],
  { run, prices, spent }: Reserving,
): ReturnType<CallLanguageModel> {
  const { pipelined, workspaceId, replayId: sourceId, part, lane, of } = run;
  const price = findCallPrice(call, prices);
  const entry = { ...of, sourceId, part, kind: 'replay', name: lane } as const;
  const limited = await reserveAnswer(call, {
    ...{ price, before: spent, isWhole: true },
    reserve: (amount) =>
      pipelined(workspaceId, ({ credits }) => credits.reserve({ ...entry, credits: amount })),
  });
  return callModel(limited);
}
