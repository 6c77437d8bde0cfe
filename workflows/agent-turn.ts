import { CancellationScope, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { AgentTurnInput, AgentTurnResult, RoutableToolCall } from './contract/turn-steps.ts';
import { createTurnSteps } from './activities.ts';
import { createTurnDetails } from './turn-details.ts';
import { endAsOutcome, rethrowStop, toEnding, type TurnEnding } from './turn-ending.ts';
import { turnProgress, type TurnProgress } from './messages.ts';
import { routeToolCall } from './route-tool-call.ts';
import { outcomeKey } from './contract/turn-options.ts';
import { startClock, takeFreshRun, withinTime } from './turn-clock.ts';

/**
 * Runs one turn: calls the model and the tools that it asks for, until there is an answer or a limit is reached.
 * @throws ApplicationFailure when the turn failed or timed out; CancelledFailure when it was cancelled
 */
export async function agentTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  const unbegun = await takeFreshRun(input);
  const turn = createTurn(input);
  setHandler(turnProgress, () => turn.progress);
  const ending = unbegun ? await settle(turn, unbegun) : await runWithinLimits(turn);
  turn.progress.step = 'settled';
  upsertSearchAttributes([{ key: outcomeKey, value: ending.outcome }]);
  turn.details.settled(ending.outcome);
  await endAsOutcome(ending);
  return { outcome: ending.outcome, iterations: turn.progress.iteration };
}

function createTurn(input: AgentTurnInput) {
  return {
    ...startClock(input),
    input,
    steps: createTurnSteps(input.execution),
    details: createTurnDetails(input),
    progress: { iteration: 0, step: 'model' } as TurnProgress,
  };
}

type RunningTurn = ReturnType<typeof createTurn>;

async function runWithinLimits(turn: RunningTurn): Promise<TurnEnding> {
  const scope = CancellationScope.current();
  try {
    return await withinTime(turn.timeMs, () => runIterations(turn));
  } catch (error) {
    const state = { cancelled: scope.consideredCancelled, outOfTime: Date.now() >= turn.deadlineAt };
    return settle(turn, toEnding(error, state));
  }
}

/** Stores how the turn ended. An outcome that another step has stored before is kept. */
async function settle(turn: RunningTurn, ending: TurnEnding): Promise<TurnEnding> {
  turn.progress.step = 'settling';
  const { workspaceId, turnId } = turn.input;
  const input = { workspaceId, turnId, iterations: turn.progress.iteration, ...ending };
  const { outcome } = await CancellationScope.nonCancellable(() => turn.steps.settleTurn(input));
  return outcome === ending.outcome ? ending : { outcome };
}

async function runIterations(turn: RunningTurn): Promise<TurnEnding> {
  for (let iteration = 1; ; iteration++) {
    Object.assign(turn.progress, { iteration, step: 'model' });
    const answer = await callModel(turn);
    turn.details.answered(iteration, answer);
    if (answer.outcome) return { outcome: answer.outcome, ...(answer.error ? { error: answer.error } : {}) };
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
