import { Context } from '@temporalio/activity';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { ChildCallDependencies } from '../../src/engines/tools/children/child-call.ts';
import type { BeginToolCallInput, ChildCallSteps, ToolCallChild } from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { runStep } from '../run-step.ts';
import { createChildCallDependencies, getChildTool } from './child-tool.ts';
import { claimCall, hasEnded, releaseAndStop, toStoredResult } from './claimed-call.ts';
import { finishCall } from './finish-call.ts';
import { findDecision, ruleOnCall, toRunArguments, toWaitingResult } from './approve-call.ts';
import { reserveToolCall } from './reserve-tool-call.ts';
import { toChildEnd } from './tool-call-ends.ts';

/**
 * Claims a tool call that runs as another workflow, and returns the child to start, or the result of a call that has
 * ended already. Every attempt returns the same child.
 */
export function createBeginToolCall(dependencies: StepDependencies): ChildCallSteps['beginToolCall'] {
  const { pipelined, wakeups } = dependencies;
  const childDependencies = createChildCallDependencies(dependencies);

  return (asked) =>
    runStep(asked, { pipelined, wakeups, what: 'a tool was being started' }, async (input, { signal }) => {
      const call = await claimCall(dependencies, input);
      if (hasEnded(call)) return { ended: toStoredResult(call) };
      if (call.child_workflow_id === null && (call.cancel_requested || signal.aborted)) {
        await releaseAndStop(dependencies, call, signal);
      }
      // An earlier attempt has applied the rules and prepared the child, which may be running.
      const isNew = call.child_workflow_id === null;
      const ruling =
        (await findDecision(dependencies, call)) ?? (isNew ? await ruleOnCall(dependencies, call) : null);
      if (ruling && 'actionId' in ruling) return { ended: toWaitingResult(ruling) };
      const refused = ruling ?? (isNew ? await reserveToolCall(dependencies, call) : null);
      const begun = refused ?? (await begin(childDependencies, call, input));
      if ('child' in begun) return begun;
      const { result } = await finishCall(dependencies, call, begun.end);
      return { ended: result };
    });
}

async function begin(
  dependencies: ChildCallDependencies,
  claimed: ClaimedToolCall,
  input: BeginToolCallInput,
): Promise<{ child: ToolCallChild } | { end: ToolCallEnd }> {
  const { type, call } = getChildTool({ ...claimed, arguments: toRunArguments(claimed) });
  const runId = Context.current().info.workflowExecution?.runId ?? '';
  const begun = await type.begin({ call, input, runId }, dependencies);
  return 'child' in begun ? begun : { end: toChildEnd(call, begun.end) };
}
