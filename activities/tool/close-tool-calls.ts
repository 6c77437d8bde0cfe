import type { ToolCallRow } from '../../src/modules/turns/calls/tool-call-rows.ts';
import { findToolType } from '../../src/engines/tools/find-tool-type.ts';
import type { StepRepositories } from '../step-dependencies.ts';
import { toNotRunEnd, toUnknownEnd } from './tool-call-ends.ts';
import { withUnreportedPrice } from './call-price.ts';

/**
 * Ends the open calls of a turn, which no attempt will run any more. A call that may have acted ends as `unknown`;
 * every other call ends as failed without an effect. The actions that the turn waits for are cancelled. All calls and actions
 * are locked before the first event is written.
 */
export async function closeOpenToolCalls(
  { toolCalls, actions, credits }: Pick<StepRepositories, 'toolCalls' | 'actions' | 'credits'>,
  turnId: string,
  upToIteration: number,
): Promise<ToolCallRow[]> {
  const open = await toolCalls.listOpen(turnId, upToIteration);
  await actions.cancelOfTurn(turnId);
  for (const call of open) {
    const end = mayHaveActed(call) ? toUnknownEnd(call, 'it was cut off') : toNotRunEnd(call);
    await toolCalls.finish(await withUnreportedPrice(end, call.tool, credits.readPrices));
  }
  return open;
}

function mayHaveActed(call: ToolCallRow): boolean {
  if (call.status !== 'started' || call.effect === 'read_only') return false;
  const type = call.tool ? findToolType(call.tool.type) : undefined;
  return type?.route === 'child' ? type.mayHaveActed(call) : true;
}
