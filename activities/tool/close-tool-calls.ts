import type { ToolCallRow } from '../../src/db/turns/tool-call-rows.ts';
import type { StepRepositories } from '../activity-dependencies.ts';
import { toNotRunEnd, toUnknownEnd } from './tool-call-ends.ts';

/**
 * Ends the calls of a turn that no attempt will run any more: what had begun has an unknown outcome,
 * what had not did not happen. What another agent did is in the ledger of its own turn.
 */
export async function closeOpenToolCalls(
  { toolCalls }: Pick<StepRepositories, 'toolCalls'>,
  turnId: string,
  upToIteration: number,
): Promise<ToolCallRow[]> {
  const open = await toolCalls.listOpen(turnId, upToIteration);
  for (const call of open) {
    await toolCalls.finish(mayHaveActed(call) ? toUnknownEnd(call, 'it was cut off') : toNotRunEnd(call));
  }
  return open;
}

function mayHaveActed({ status, effect, tool, child_workflow_id: workflowId }: ToolCallRow): boolean {
  if (status !== 'started' || effect === 'read_only' || tool?.type === 'agent') return false;
  // A workflow is noted before it is started.
  return tool?.type !== 'workflow' || workflowId !== null;
}
