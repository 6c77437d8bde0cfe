import { HoldfastError } from '../../src/domain/errors.ts';
import type { ChildCallSteps } from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { runStep } from '../run-step.ts';
import { toWaitingResult } from './approve-call.ts';
import { createChildCallDependencies, getChildTool } from './child-tool.ts';
import { hasEnded, toStoredResult } from './claimed-call.ts';
import { finishCall } from './finish-call.ts';
import { toChildEnd } from './tool-call-ends.ts';

/** Reads the end of a call's child and stores it. Waits for the child first when the workflow could not wait for it. */
export function createEndToolCall(dependencies: StepDependencies): ChildCallSteps['endToolCall'] {
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
      const { result } = await finishCall(dependencies, found, toChildEnd(call, end));
      return result;
    });
}
