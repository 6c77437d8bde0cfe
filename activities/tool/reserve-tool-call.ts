import { createBudgetExceeded } from '../../src/credits/budget-errors.ts';
import { toCredits } from '../../src/domain/credits.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import { findPrice } from '../../src/domain/price-table.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toFailedEnd } from './tool-call-ends.ts';

type Dependencies = Pick<ActivityDependencies, 'pipelined'>;

/**
 * Reserves the price of a tool call where a budget counts it. Returns the end of a call that would break a budget, which
 * ends its turn too; null for a call that may run.
 */
export async function reserveToolCall(
  dependencies: Dependencies,
  call: ClaimedToolCall,
): Promise<{ end: ToolCallEnd } | null> {
  const price = call.budgeted ? await findToolPrice(dependencies, call) : null;
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

/** The setting of a tool, or the price of an image by the model that makes it; null for a tool without a price. */
async function findToolPrice({ pipelined }: Dependencies, call: ClaimedToolCall): Promise<bigint | null> {
  const { tool, workspace_id: workspaceId } = call;
  if (tool?.settings?.credits !== undefined) return BigInt(tool.settings.credits);
  if (tool?.type !== 'function' || tool.config.model === undefined) return null;
  const prices = await pipelined(workspaceId, ({ credits }) => credits.readPrices());
  const perImage = findPrice(tool.config.model, prices)?.perImage;
  return perImage === undefined ? null : toCredits(perImage);
}

/** Whether the end of a call ends its turn, since a budget did not allow the call. */
export function isOverBudget({ code }: ErrorInfo): boolean {
  return code === 'BUDGET_EXCEEDED';
}
