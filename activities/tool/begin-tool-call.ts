import type { BeginToolCallInput, BeginToolCallResult } from '../../workflows/contract/turn-steps.ts';
import type { ClaimedToolCall } from '../../src/db/turns/tool-call-repository.ts';
import { claimCall, hasEnded, releaseAndStop, toStoredResult } from './claimed-call.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { finishCall } from './finish-call.ts';
import { prepareCall } from './prepare-call.ts';
import { type Begun, prepareAgentCall } from './prepare-agent-call.ts';
import { prepareWorkflowCall } from './prepare-workflow-call.ts';
import { runStep } from '../run-step.ts';

/**
 * Claims a tool call whose work is another workflow, and prepares that: what to start, or how the call has ended
 * already. However often it runs, the child is the same one.
 */
export function createBeginToolCall(dependencies: ActivityDependencies) {
  const { wakeups } = dependencies;

  return (input: BeginToolCallInput): Promise<BeginToolCallResult> =>
    runStep({ ...input, wakeups, what: 'a tool was being started' }, async (signal) => {
      const call = await claimCall(dependencies, input);
      if (hasEnded(call)) return { ended: toStoredResult(call) };
      if (call.child_workflow_id === null && (call.cancel_requested || signal.aborted)) {
        await releaseAndStop(dependencies, call, signal);
      }
      const begun = await begin(dependencies, call, input);
      return 'child' in begun ? begun : { ended: await finishCall(dependencies, call, begun.end) };
    });
}

/** What the rules say was decided when the child was prepared first; a child that may be there is only looked for. */
async function begin(
  dependencies: ActivityDependencies,
  call: ClaimedToolCall,
  input: BeginToolCallInput,
): Promise<Begun> {
  const refused = call.child_workflow_id === null ? await prepareCall(dependencies, call) : null;
  if (refused) return { end: refused };
  return call.tool?.type === 'agent'
    ? prepareAgentCall(dependencies, call, input)
    : prepareWorkflowCall(dependencies, call);
}
