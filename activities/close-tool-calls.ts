import type { ToolCallRow } from '../src/db/repositories/tool-call-rows.ts';
import type { StepRepositories } from './dependencies.ts';
import { toNotRunEnd, toUnknownEnd } from './tool-call-ends.ts';

/**
 * Ends the calls of a turn that no attempt will run any more: what had begun has an unknown outcome,
 * what had not did not happen.
 */
export async function closeOpenToolCalls(
  { toolCalls }: Pick<StepRepositories, 'toolCalls'>,
  turnId: string,
  upToIteration: number,
): Promise<ToolCallRow[]> {
  const open = await toolCalls.listOpen(turnId, upToIteration);
  for (const call of open) {
    const mayHaveActed = call.status === 'started' && call.effect !== 'read_only';
    await toolCalls.finish(mayHaveActed ? toUnknownEnd(call, 'it was cut off') : toNotRunEnd(call));
  }
  return open;
}
