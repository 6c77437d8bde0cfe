import { createBudgetExceeded } from '../../src/modules/credits/budgets/budget-errors.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { toFailedEnd } from './tool-call-ends.ts';
import { findToolPrice } from './tool-price.ts';

type Dependencies = Pick<StepDependencies, 'pipelined'>;

/**
 * Reserves the price of a tool call where a budget counts it. Returns the end of a call that would break a budget, which
 * ends its turn too; null for a call that may run.
 */
export async function reserveToolCall(
  dependencies: Dependencies,
  call: ClaimedToolCall,
): Promise<{ end: ToolCallEnd } | null> {
  if (!call.budgeted) return null;
  const readPrices = () => dependencies.pipelined(call.workspace_id, ({ credits }) => credits.readPrices());
  const price = await findToolPrice(call.tool, readPrices);
  if (price === null) return null;
  const { turn_id: sourceId, iteration, index } = call;
  const part = `tool/${iteration}/${index}`;
  const asked = { sourceId, part, kind: 'tool', name: call.target ?? call.name, credits: price } as const;
  const reservation = await dependencies.pipelined(call.workspace_id, ({ credits }) =>
    credits.reserve(asked),
  );
  if (!reservation?.breaks) return null;
  const error = createBudgetExceeded(`A call of ${call.name}`, reservation, price);
  return { end: toFailedEnd(call, error.toInfo()) };
}

/** Whether the end of a call ends its turn, since a budget did not allow the call. */
export function isOverBudget({ code }: ErrorInfo): boolean {
  return code === 'BUDGET_EXCEEDED';
}
