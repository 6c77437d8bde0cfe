import { Context } from '@temporalio/activity';
import type { BeginToolCallInput, ChildCallSteps, ToolCallChild } from '../../src/contract/turn-steps.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { ChildCallDependencies } from '../../src/engines/tools/children/child-call.ts';
import { findToolType } from '../../src/engines/tools/find-tool-type.ts';
import type { ChildToolType } from '../../src/engines/tools/tool-type.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { cancelTurns } from '../../src/modules/turns/cancel-turn.ts';
import { runStep } from '../run-step.ts';
import type { ChildPort } from '../step-dependencies.ts';
import { createSettleTurn } from '../turn/settle-turn.ts';
import { findDecision, ruleOnCall, toRunArguments, toWaitingResult } from './approve-call.ts';
import { claimCall, endCall, hasEnded, stopIfAsked, toStoredResult } from './call-ledger.ts';
import { reserveToolCall } from './call-price.ts';
import { toChildEnd } from './tool-call-ends.ts';

/**
 * Claims a tool call that runs as another workflow, applies the rules and reserves its price as for every call, and returns the
 * child to start, or the result of a call that has ended already. Every attempt returns the same child.
 */
export function createBeginToolCall(dependencies: ChildPort): ChildCallSteps['beginToolCall'] {
  const { pipelined, wakeups } = dependencies;
  const childDependencies = createChildCallDependencies(dependencies);

  return (asked) =>
    runStep(asked, { pipelined, wakeups, what: 'a tool was being started' }, async (input, { signal }) => {
      const call = await claimCall(dependencies, input);
      if (hasEnded(call)) return { ended: toStoredResult(call) };
      // An earlier attempt has applied the rules and prepared the child, which may be running.
      const isNew = call.child_workflow_id === null;
      if (isNew) await stopIfAsked(dependencies, call, signal);
      const ruling =
        (await findDecision(dependencies, call)) ??
        (isNew ? await ruleOnCall(dependencies, call) : null) ??
        (isNew ? await reserveToolCall(dependencies, call) : null) ??
        (await beginChild(childDependencies, call, input));
      if ('child' in ruling) return ruling;
      if ('actionId' in ruling) return { ended: toWaitingResult(ruling) };
      const { result } = await endCall(dependencies, call, ruling.end);
      return { ended: result };
    });
}

/** Reads the end of a call's child and stores it. Waits for the child first when the workflow could not wait for it. */
export function createEndToolCall(dependencies: ChildPort): ChildCallSteps['endToolCall'] {
  const { pipelined, wakeups } = dependencies;
  const childDependencies = createChildCallDependencies(dependencies);

  return (asked) =>
    runStep(asked, { pipelined, wakeups, what: 'a tool was running' }, async (input, { signal }) => {
      const found = await pipelined(input.workspaceId, ({ childTurns }) => childTurns.findCall(input));
      if (!found) throw new HoldfastError('TURN_SETTLED', 'The turn is over, or has no such tool call.');
      if (hasEnded(found)) return toStoredResult(found);
      const { type, call } = getChildTool(found);
      const end = await type.end({ call, input, signal }, childDependencies);
      if (end.status === 'waiting') return toWaitingResult({ actionId: end.turnId });
      const { result } = await endCall(dependencies, found, toChildEnd(call, end));
      return result;
    });
}

async function beginChild(
  dependencies: ChildCallDependencies,
  claimed: ClaimedToolCall,
  input: BeginToolCallInput,
): Promise<{ child: ToolCallChild } | { end: ToolCallEnd }> {
  const { type, call } = getChildTool({ ...claimed, arguments: toRunArguments(claimed) });
  const runId = Context.current().info.workflowExecution?.runId ?? '';
  const begun = await type.begin({ call, input, runId }, dependencies);
  return 'child' in begun ? begun : { end: toChildEnd(call, begun.end) };
}

/** Collects the dependencies of the tool types that start a child workflow. */
function createChildCallDependencies(dependencies: ChildPort): ChildCallDependencies {
  return {
    ...dependencies,
    settleTurn: createSettleTurn(dependencies),
    stopTurn: (workspaceId, id) => cancelTurns(dependencies.turnDependencies, { workspaceId }, { id }),
  };
}

/**
 * Returns the type of a claimed call's tool, and the call together with the tool.
 * @throws HoldfastError `INTERNAL` for a call of a tool that starts no child
 */
function getChildTool(call: ClaimedToolCall): {
  type: ChildToolType;
  call: ClaimedToolCall & { tool: Tool };
} {
  const { tool } = call;
  const type = tool ? findToolType(tool.type) : undefined;
  if (tool && type?.route === 'child') return { type, call: { ...call, tool } };
  throw new HoldfastError('INTERNAL', `The call of ${call.name} starts no workflow.`);
}
