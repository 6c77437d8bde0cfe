import { HoldfastError } from '../../src/domain/errors.ts';
import type { EndToolCallInput, ExecuteToolCallResult } from '../../workflows/contract/turn-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { hasEnded, toStoredResult } from './claimed-call.ts';
import { endAgentCall } from './end-agent-call.ts';
import { endWorkflowCall } from './end-workflow-call.ts';
import { finishCall } from './finish-call.ts';
import { runStep } from '../run-step.ts';

/** Reads what became of a call's child, waiting for it when nobody could wait for it before, and stores it. */
export function createEndToolCall(dependencies: ActivityDependencies) {
  const { pipelined, wakeups } = dependencies;

  return (input: EndToolCallInput): Promise<ExecuteToolCallResult> =>
    runStep({ ...input, wakeups, what: 'a tool was running' }, async (signal) => {
      const call = await pipelined(input.workspaceId, ({ childTurns }) => childTurns.findCall(input));
      if (!call) throw new HoldfastError('TURN_SETTLED', 'The turn is over, or has no such tool call.');
      if (hasEnded(call)) return toStoredResult(call);
      const ending = { call, input, signal };
      const end =
        call.tool?.type === 'agent'
          ? await endAgentCall(dependencies, ending)
          : await endWorkflowCall(dependencies, ending);
      return finishCall(dependencies, call, end);
    });
}
