import { CancellationScope, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { toSoftDeadlineMs } from '../src/domain/limits.ts';
import type { TurnOutcome } from '../src/domain/turn-status.ts';
import type { AgentTurnInput, AgentTurnResult, RoutableToolCall } from './contract/turn-steps.ts';
import { createTurnSteps } from './activities.ts';
import { createTurnDetails } from './turn-details.ts';
import { toEnding } from './turn-ending.ts';
import { turnProgress, type TurnProgress } from './messages.ts';
import { routeToolCall } from './route-tool-call.ts';
import { rethrowStop } from './turn-ending.ts';
import { outcomeKey } from './contract/turn-options.ts';

/** Runs one turn: calls the model and the tools that it asks for, until there is an answer or a limit is reached. */
export async function agentTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  const turn = createTurn(input);
  setHandler(turnProgress, () => turn.progress);
  const outcome = await runWithinLimits(turn);
  turn.progress.step = 'settled';
  upsertSearchAttributes([{ key: outcomeKey, value: outcome }]);
  turn.details.settled(outcome);
  return { outcome, iterations: turn.progress.iteration };
}

function createTurn(input: AgentTurnInput) {
  const timeMs = toSoftDeadlineMs(input.limits.turnTimeoutMs);
  return {
    input,
    timeMs,
    deadlineAt: workflowInfo().runStartTime.getTime() + timeMs,
    steps: createTurnSteps(input.execution, input.limits),
    details: createTurnDetails(input),
    progress: { iteration: 0, step: 'model' } as TurnProgress,
  };
}

type RunningTurn = ReturnType<typeof createTurn>;

async function runWithinLimits(turn: RunningTurn): Promise<TurnOutcome> {
  const scope = CancellationScope.current();
  try {
    return await CancellationScope.withTimeout(turn.timeMs, () => runIterations(turn));
  } catch (error) {
    turn.progress.step = 'settling';
    const ending = toEnding(error, {
      cancelled: scope.consideredCancelled,
      outOfTime: Date.now() >= turn.deadlineAt,
    });
    const { workspaceId, turnId } = turn.input;
    const settle = () =>
      turn.steps.settleTurn({ workspaceId, turnId, iterations: turn.progress.iteration, ...ending });
    return (await CancellationScope.nonCancellable(settle)).outcome;
  }
}

async function runIterations(turn: RunningTurn): Promise<TurnOutcome> {
  for (let iteration = 1; ; iteration++) {
    Object.assign(turn.progress, { iteration, step: 'model' });
    const answer = await callModel(turn);
    turn.details.answered(iteration, answer);
    if (answer.outcome) return answer.outcome;
    turn.progress.step = 'tools';
    await runToolCalls(turn, answer.toolCalls);
  }
}

/** Asks the model, at the limit of iterations, once more without tools for an answer from what it has found. */
function callModel(turn: RunningTurn) {
  const { iteration } = turn.progress;
  const { model, limits } = turn.input;
  return turn.steps.callModel(
    { summary: `${model} iteration ${iteration}`, timeLeftMs: turn.deadlineAt - Date.now() },
    {
      ...toStep(turn),
      timeoutMs: limits.activityTimeoutMs,
      tools: iteration > limits.maxIterations ? 'withheld' : 'offered',
    },
  );
}

/** Runs all calls in parallel. A call that fails does not stop the others, and the model is told of it. */
async function runToolCalls(turn: RunningTurn, calls: RoutableToolCall[]): Promise<void> {
  const runs = calls.map(async (call) => {
    const run = {
      steps: turn.steps,
      step: toStep(turn),
      call,
      timeLeftMs: turn.deadlineAt - Date.now(),
      onChild: (workflowId: string) => turn.details.childStarted(call, workflowId),
    };
    const ended = await routeToolCall(run);
    turn.details.toolEnded(call, ended);
    return ended;
  });
  rethrowStop(await Promise.allSettled(runs));
}

function toStep({ input, progress, deadlineAt }: RunningTurn) {
  const { workspaceId, conversationId, turnId } = input;
  return { workspaceId, conversationId, turnId, iteration: progress.iteration, deadlineAt };
}
