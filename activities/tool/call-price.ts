import { toCredits } from '../../src/domain/credits.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import { findPrice } from '../../src/domain/price-table.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { createBudgetExceeded } from '../../src/modules/credits/budgets/budget-errors.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { ToolPort } from '../step-dependencies.ts';
import { toFailedEnd } from './tool-call-ends.ts';

type ReadPrices = () => Promise<Prices>;

/**
 * Reserves the price of a tool call where a budget counts it. Returns the end of a call that would break a budget, which
 * ends its turn too; null for a call that may run.
 */
export async function reserveToolCall(
  dependencies: Pick<ToolPort, 'pipelined'>,
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

/** The setting of a tool, or the price of an image by the model that makes it; null for a tool without a price. */
async function findToolPrice(tool: Tool | null, readPrices: ReadPrices): Promise<bigint | null> {
  if (tool?.settings?.credits !== undefined) return BigInt(tool.settings.credits);
  if (tool?.type !== 'function' || tool.config.model === undefined) return null;
  const perImage = findPrice(tool.config.model, await readPrices())?.perImage;
  return perImage === undefined ? null : toCredits(perImage);
}

/**
 * Adds the price of an image to the end of a call whose outcome is unknown: the vendor may have made it, and no tool is left
 * that could report what it has cost.
 */
export async function withUnreportedPrice(
  end: ToolCallEnd,
  tool: Tool | null,
  readPrices: ReadPrices,
): Promise<ToolCallEnd> {
  if (end.status !== 'unknown' || end.creditsUsed !== undefined) return end;
  const price = await findToolPrice(tool, readPrices);
  return price === null ? end : { ...end, creditsUsed: String(price) };
}
