import type { RoutableToolCall, TurnEnding } from './contract/turn-steps.ts';
import { runTurnLoop, type TurnGround } from './contract/turn-loop.ts';
import type { RunningTurn } from './running-turn.ts';
import { routeToolCall } from './route-tool-call.ts';
import { withinTime } from './turn-clock.ts';
import { isStop } from './turn-ending.ts';

/** Runs the loop of a turn as workflow code, with an activity for each step. */
export async function runInWorkflow(turn: RunningTurn): Promise<TurnEnding> {
  const end = await withinTime(turn.timeMs, () => runTurnLoop(createWorkflowGround(turn)));
  if ('rest' in end) throw new Error('workflow code runs every step of a turn');
  return end.ending;
}

/** Creates the ground of a turn whose steps are activities of its workflow. It leaves no step to others. */
export function createWorkflowGround(turn: RunningTurn): TurnGround {
  const { input, details, progress, deadlineAt, steps } = turn;
  const { model, limits } = input;
  const leftMs = () => deadlineAt - Date.now();
  return {
    maxIterations: limits.maxIterations,
    callModel: (iteration, tools) =>
      steps.callModel(
        { summary: `${model} iteration ${iteration}`, timeLeftMs: leftMs() },
        { ...toStep(turn, iteration), timeoutMs: limits.activityTimeoutMs, tools },
      ),
    runToolCall: (iteration, call) =>
      routeToolCall({
        steps,
        step: toStep(turn, iteration),
        call,
        timeLeftMs: leftMs(),
        onChild: (workflowId: string) => details.childStarted(call, workflowId),
      }),
    leaves: () => false,
    isStop,
    watch: {
      begun: (iteration, step) => Object.assign(progress, { iteration, step }),
      answered: details.answered,
      toolEnded: (call: RoutableToolCall, ended) => details.toolEnded(call, ended),
    },
  };
}

/** Returns the ids and the end of time that every step of a turn gets. */
export function toStep({ input, deadlineAt }: RunningTurn, iteration: number) {
  const { workspaceId, conversationId, turnId } = input;
  return { workspaceId, conversationId, turnId, iteration, deadlineAt };
}
