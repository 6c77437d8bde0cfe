import type { WorkflowDefinitionOptions } from '@temporalio/common';
import {
  CancellationScope,
  ContinueAsNew,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { AgentTurnInput, AgentTurnResult, TurnEnding } from '../src/contract/turn-steps.ts';
import { turnProgress } from './messages.ts';
import { createTurn, type RunningTurn } from './running-turn.ts';
import { takeFreshRun, followClock } from './turn-clock.ts';
import { runInActivities, toCall } from './turn-in-activities.ts';
import { runInWorkflow } from './turn-in-workflow.ts';
import { endAsOutcome, showOutcome, toEnding } from './turn-ending.ts';
import { followDecisions, isWaitingRun, waitForDecision } from './turn-waits.ts';
import { runRecordedTurn } from './activities.ts';
import { TurnStopped } from '../src/contract/turn-loop.ts';

/**
 * Runs a turn of `inspectable` execution: each model call and each tool call is its own activity.
 * @throws ApplicationFailure when the turn failed or timed out; CancelledFailure when it was cancelled
 */
export function agentTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  return runTurn(input, runInWorkflow);
}

/**
 * Runs a turn of `direct` execution that has a workflow: one activity makes all its model calls and tool calls.
 * @throws as `agentTurn`
 */
export function fastTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  return runTurn(input, runInActivities);
}

/**
 * Runs a turn whose tool calls get the recorded results of another one. It has a separate workflow type, so that a worker
 * which does not know the type cannot run the turn with its tools.
 * @throws as `agentTurn`
 */
export function recordedTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  return runTurn(input, runFromRecording);
}

// Where workers have versions, a turn ends with the one that started it. A run that waits for people, for days at most,
// takes the current version, and the run after it begins there: no worker is kept for it.
for (const turn of [agentTurn, fastTurn, recordedTurn]) setWorkflowOptions(toVersioning, turn);

/** Temporal refuses a behavior from a worker that has no version. */
function toVersioning(): WorkflowDefinitionOptions {
  if (!workflowInfo().currentDeploymentVersion?.deploymentName) return {};
  return { versioningBehavior: isWaitingRun() ? 'AUTO_UPGRADE' : 'PINNED' };
}

type RunTurn = (turn: RunningTurn) => Promise<TurnEnding>;

/** Runs a turn until its ending is stored, and ends its workflow as the turn ended. */
async function runTurn(input: AgentTurnInput, run: RunTurn): Promise<AgentTurnResult> {
  const unbegun = await takeFreshRun(input);
  const turn = createTurn(input);
  setHandler(turnProgress, () => turn.progress);
  followDecisions(turn);
  const ending = unbegun ? await settle(turn, unbegun) : await runOrSettle(turn, run);
  turn.progress.step = 'settled';
  showOutcome(ending);
  turn.details.settled(ending.outcome);
  await endAsOutcome(ending);
  return { outcome: ending.outcome, iterations: turn.progress.iteration };
}

/** Runs a turn to its ending, which is that of the first step that failed for good when there is one. */
async function runOrSettle(turn: RunningTurn, run: RunTurn): Promise<TurnEnding> {
  const scope = CancellationScope.current();
  const { paused } = turn.input;
  try {
    return await (paused?.decided.length === 0 ? waitForDecision(turn, paused) : run(turn));
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
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

/** Runs a turn in one activity that has no tools: its calls get the recorded results of another turn. */
async function runFromRecording(turn: RunningTurn): Promise<TurnEnding> {
  const { recordedFrom } = turn.input;
  if (recordedFrom === undefined) throw new Error('the turn names no recording');
  const [options, input] = toCall(turn, 1);
  const part = await followClock(turn, runRecordedTurn(options, { ...input, recordedFrom }));
  turn.details.partEnded(part);
  turn.progress.iteration = part.iteration;
  if (part.ending) return part.ending;
  throw new TurnStopped(part.stopped ?? { outcome: 'failed' });
}
