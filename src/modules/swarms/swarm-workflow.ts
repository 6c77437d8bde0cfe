import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  ChildWorkflowCancellationType,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  ParentClosePolicy,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { agentTurn } from '../../../workflows/agent-turn.ts';
import { retryPauses } from '../../contract/retry-limits.ts';
import { toSwarmDetails } from './swarm-details-contract.ts';
import {
  swarmSignal,
  type AdvanceSwarmResult,
  type SwarmProgress,
  type SwarmSteps,
  type SwarmWorkflowInput,
} from './swarm-contract.ts';
import { toTurnOptions, toTurnType } from '../../contract/turn-options.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { endCancelled, takeChanges } from './swarm-changes-workflow.ts';

/** The query that asks the workflow of a swarm how far it is. */
const swarmProgress = defineQuery<SwarmProgress | null>('swarmProgress');

/** Notifies the workflow of a swarm that its stored state has changed. */
const swarmWoken = defineSignal(swarmSignal);

/**
 * The step of a swarm: a short transaction, which runs in the workflow task. It is tried again until the database answers.
 */
const { advanceSwarm } = proxyLocalActivities<SwarmSteps>({
  startToCloseTimeout: 30_000,
  retry: { ...retryPauses, maximumInterval: 10_000 },
});

/** After so many turns the workflow continues as new: each takes about six events of its history. */
const turnsPerRun = 400;

/** How often turns that another run has started are polled, in milliseconds. */
const firstPollMs = 500;
const longestPollMs = 15_000;

/** The longest that a timer waits, in milliseconds. */
const longestWaitMs = 24 * 60 * 60 * 1000;

/** The state of one run of the workflow. */
interface SwarmRun {
  /** The turns that this run has started and that have not ended. */
  turns: Set<string>;
  /** How many events have occurred after which the stored state has to be read. */
  wakes: number;
  started: number;
  step: number;
  pollMs: number;
  progress: SwarmProgress | null;
}

/**
 * Lets the agents of a swarm work until it has ended. Its state is stored: each step notes what has happened, decides what
 * follows and stores the turns that begin, which run as children. A signal only wakes the workflow.
 */
export async function swarm(input: SwarmWorkflowInput): Promise<SwarmProgress | null> {
  const run: SwarmRun = {
    turns: new Set(),
    wakes: 0,
    started: 0,
    step: 0,
    pollMs: firstPollMs,
    progress: null,
  };
  const wake = () => {
    run.wakes += 1;
  };
  setHandler(swarmProgress, () => run.progress);
  setHandler(swarmWoken, wake);
  takeChanges(input, wake);
  const scope = CancellationScope.current();
  void scope.cancelRequested.catch(wake);
  // A swarm whose workflow is cancelled ends in order: its turns are stopped first.
  return CancellationScope.nonCancellable(async () => {
    for (let isCancelled = false; ;) {
      if (scope.consideredCancelled && !isCancelled) await endCancelled(input);
      isCancelled = scope.consideredCancelled;
      const { wakes } = run;
      const advanced = await takeStep(input, run);
      if (advanced.hasEnded) return run.progress;
      if (!advanced.again) await waitForMore(run, wakes, advanced);
      if (isLong(input, run) && !scope.consideredCancelled) await continueInNewRun(input);
    }
  });
}

/** Takes one step, and starts the turns that it has stored. */
async function takeStep(
  { workspaceId, swarmId }: SwarmWorkflowInput,
  run: SwarmRun,
): Promise<AdvanceSwarmResult> {
  run.step += 1;
  const step = `${workflowInfo().runId}:${run.step}`;
  const advanced = await advanceSwarm({ workspaceId, swarmId, step });
  run.progress = advanced.progress;
  setCurrentDetails(toSwarmDetails(advanced.progress));
  await Promise.all(advanced.starts.map((start) => startTurn(start, run, swarmId)));
  return advanced;
}

/** Starts a turn and notes its end. The turn is abandoned: it runs to its own end, or is cancelled with the swarm. */
async function startTurn(start: AgentTurnInput, run: SwarmRun, swarmId: string): Promise<void> {
  const { turnId } = start;
  run.started += 1;
  const ended = () => {
    run.turns.delete(turnId);
    run.wakes += 1;
  };
  try {
    const turn = await startChild<typeof agentTurn>(toTurnType(start), {
      ...toTurnOptions(start),
      args: [start],
      memo: { swarmId },
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
    run.turns.add(turnId);
    void turn.result().then(ended, ended);
  } catch (error) {
    // The sweeper has started it, so its state is polled until it has ended.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Waits until something happens, the time is over, or turns that this run does not follow are to be polled. */
async function waitForMore(
  run: SwarmRun,
  wakes: number,
  { open, deadlineAt }: AdvanceSwarmResult,
): Promise<void> {
  const isFollowed = open <= run.turns.size;
  run.pollMs = isFollowed ? firstPollMs : Math.min(run.pollMs * 2, longestPollMs);
  // After its time the swarm waits for turns that got a stop request.
  const leftMs = deadlineAt > Date.now() ? deadlineAt - Date.now() : longestPollMs;
  const waitMs = Math.min(leftMs, isFollowed ? longestWaitMs : run.pollMs);
  await condition(() => run.wakes > wakes, Math.ceil(waitMs));
}

function isLong({ turnsPerRun: most = turnsPerRun }: SwarmWorkflowInput, run: SwarmRun): boolean {
  return run.started >= most || workflowInfo().continueAsNewSuggested;
}

/** Continues as new. Turns that run continue, and the next run polls them until they have ended. */
async function continueInNewRun(input: SwarmWorkflowInput): Promise<never> {
  await condition(allHandlersFinished);
  return continueAsNew<typeof swarm>(input);
}
