import {
  allHandlersFinished,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { JsonObject } from '../../../domain/json.ts';
import { createRoutineError, RoutineError, toProblemJson } from '../../../domain/routine-error.ts';
import { toRoutineDetails } from '../routine-details-contract.ts';
import type {
  RoutineDefinition,
  RoutineRef,
  RoutineProgress,
  RoutineRunInput,
  RoutineRunResult,
  RoutineStatusAnswer,
  SettleRoutineInput,
} from '../routine-contract.ts';
import { createControl, type RoutineControl } from './control.ts';
import { RoutineLimitReached, RoutineStopped } from './ground.ts';
import { interpretRoutine } from './interpret-routine.ts';
import { actionDecided } from '../../../../workflows/messages.ts';
import { pauseRoutine, resumeRoutine, routineStatus, routineWoken, stopRoutine } from './messages.ts';
import { createStepLog, type StepLog } from './step-log.ts';
import { createRoutineSteps } from './steps.ts';
import { createWorkflowGround } from './workflow-ground.ts';

/** The maximum number of characters of the state that passes from one run of the workflow to the next. */
const mostCharacters = 1_500_000;

type RoutineEnding = Pick<SettleRoutineInput, 'status' | 'output' | 'error'>;

/** One run of the workflow of a routine. */
interface RunningRoutine {
  input: RoutineRunInput;
  definition: RoutineDefinition;
  control: RoutineControl;
  steps: StepLog;
  progress: Pick<RoutineProgress, 'context' | 'startedAt' | 'root'>;
  /** The steps of the document run in it. */
  scope: CancellationScope;
  ending: RoutineEnding | null;
  /** A failure of the interpreter itself. */
  failure: { error: unknown } | null;
}

/**
 * Runs a routine: interprets its document as workflow code, and continues as new with a path in the document and the data
 * before its history grows too long.
 * @throws ApplicationFailure when the run is faulted; CancelledFailure when it was stopped
 */
export async function routineRun(input: RoutineRunInput): Promise<RoutineRunResult> {
  const { progress: before } = input;
  const ref = toRef(input);
  const steps = createStepLog({ count: before?.steps ?? 0, shown: before?.shown ?? [], now: Date.now });
  const control = createControl(before?.isPaused ?? false);
  const progress = before ?? { context: null, startedAt: Date.now(), root: {} };
  const { context, startedAt, root } = progress;
  const routine: RunningRoutine = {
    ...{ input, control, steps, scope: new CancellationScope(), ending: null, failure: null },
    definition: { name: 'routine', version: 0, document: {}, input: null },
    progress: { context, startedAt, root },
  };
  followMessages(routine);
  routine.definition = await createRoutineSteps().readRoutine(ref);
  void runToEnd(routine).then(
    (ending) => {
      routine.ending = ending;
    },
    (error: unknown) => {
      routine.failure = { error };
    },
  );
  // A cancelled workflow settles its run before it ends.
  await CancellationScope.nonCancellable(() => condition(() => isOver(routine)));
  if (routine.failure) throw routine.failure.error;
  if (!routine.ending) return continueInNewRun(routine);
  await settle(routine, routine.ending);
  return endAs(routine.ending);
}

/** The ids of a run, without its progress: activities do not need it. */
function toRef({ workspaceId, runId, agentId, conversationId }: RoutineRunInput): RoutineRef {
  return { workspaceId, runId, agentId, conversationId };
}

function isOver({ ending, failure, control }: RunningRoutine): boolean {
  return ending !== null || failure !== null || (control.isHalting && control.busy === 0);
}

async function runToEnd(routine: RunningRoutine): Promise<RoutineEnding> {
  const { input, definition, control, steps, progress, scope } = routine;
  const ref = toRef(input);
  const ground = createWorkflowGround({ place: ref, control, steps, onStep: () => showDetails(routine) });
  const parent = CancellationScope.current();
  void parent.cancelRequested.catch(() => scope.cancel());
  try {
    const output = await scope.run(() =>
      interpretRoutine({ ...definition, runId: ref.runId, ground, progress, steps }),
    );
    return { status: 'completed', output, error: null };
  } catch (error) {
    if (error instanceof RoutineStopped || isCancellation(error))
      return { status: 'cancelled', output: null, error: null };
    return { status: 'faulted', output: null, error: toProblemOf(error) };
  }
}

/** An activity that failed in every attempt is an error of the runtime, which no task catches. */
function toProblemOf(error: unknown): JsonObject {
  if (error instanceof RoutineError) return toProblemJson(error.problem);
  if (error instanceof RoutineLimitReached) {
    const more = { title: 'ROUTINE_LIMIT_REACHED', instance: '/' };
    return toProblemJson(createRoutineError('runtime', error.message, more).problem);
  }
  if (!(error instanceof ActivityFailure)) throw error;
  const detail = error.cause?.message ?? error.message;
  return toProblemJson(createRoutineError('runtime', detail, { instance: '/' }).problem);
}

async function continueInNewRun(routine: RunningRoutine): Promise<RoutineRunResult> {
  const { input, control, steps, progress } = routine;
  const ref = toRef(input);
  await condition(allHandlersFinished);
  await createRoutineSteps().storeRoutineSteps({ ...ref, steps: steps.takeUnstored() });
  const next: RoutineProgress = {
    ...progress,
    steps: steps.count(),
    isPaused: control.isPaused,
    shown: steps.shown(),
  };
  if (JSON.stringify(next).length > mostCharacters) {
    const detail = `the data of the run has more than ${mostCharacters} characters: keep less of it with output.as`;
    const error = toProblemJson(createRoutineError('runtime', detail, { instance: '/' }).problem);
    const ending: RoutineEnding = { status: 'faulted', output: null, error };
    await settle(routine, ending);
    return endAs(ending);
  }
  return continueAsNew<typeof routineRun>({ ...ref, progress: next });
}

async function settle(routine: RunningRoutine, ending: RoutineEnding): Promise<void> {
  const { input, control, steps } = routine;
  const ref = toRef(input);
  routine.ending = ending;
  // Branches that were cancelled may not have come to their end.
  steps.cancelOpen();
  showDetails(routine);
  const stopped = control.stop === null ? {} : { stopped: control.stop };
  await CancellationScope.nonCancellable(async () => {
    await condition(allHandlersFinished);
    const changed = steps.takeUnstored();
    await createRoutineSteps().settleRoutine({ ...ref, ...ending, ...stopped, steps: changed });
  });
}

function endAs({ status, error }: RoutineEnding): RoutineRunResult {
  if (status === 'completed') return { status };
  if (status === 'cancelled') throw new CancelledFailure('The run was stopped.');
  const { type, title, detail } = error ?? {};
  const message = [title, detail].filter((text) => typeof text === 'string').join(': ');
  throw ApplicationFailure.nonRetryable(message, typeof type === 'string' ? type : undefined);
}

function readStatus({ control, ending, steps }: RunningRoutine): RoutineStatusAnswer {
  const current = control.stop === null ? (control.isPaused ? 'paused' : 'running') : 'stopping';
  return { status: ending?.status ?? current, steps: steps.shown() };
}

function showDetails(routine: RunningRoutine): void {
  setCurrentDetails(toRoutineDetails(routine.definition.name, readStatus(routine)));
}

/** Sets the handlers for the signals, queries and updates of people and other workflows. */
function followMessages(routine: RunningRoutine): void {
  const { control, input, scope } = routine;
  const ref = toRef(input);
  setHandler(actionDecided, (id) => void control.changed.add(id));
  setHandler(routineWoken, (changed) => {
    if (changed === undefined) control.wakes += 1;
    else control.changed.add(changed);
  });
  setHandler(routineStatus, () => readStatus(routine), {
    description: 'The status of the run, and its newest steps.',
  });
  const pause = (isPaused: boolean) => async () => {
    control.isPaused = isPaused;
    await createRoutineSteps().noteRoutineStatus({ ...ref, status: isPaused ? 'paused' : 'running' });
    showDetails(routine);
    return readStatus(routine);
  };
  const validator = () => refuseEnded(routine);
  setHandler(pauseRoutine, pause(true), {
    validator,
    description: 'Pauses the run after the steps that run.',
  });
  setHandler(resumeRoutine, pause(false), { validator, description: 'Lets a paused run go on.' });
  setHandler(
    stopRoutine,
    (given) => {
      const mode = given?.mode ?? 'graceful';
      control.stop = mode;
      if (mode === 'now') scope.cancel();
      return readStatus(routine);
    },
    {
      validator: (given: { mode?: unknown } | null) => {
        refuseEnded(routine);
        refuseWrongMode(given);
      },
      description: 'Stops the run: { "mode": "graceful" } after the steps that run, or "now".',
    },
  );
}

function refuseEnded({ ending }: RunningRoutine): void {
  if (ending) throw ApplicationFailure.nonRetryable(`The run is ${ending.status} already.`, 'CONFLICT');
}

function refuseWrongMode(given: { mode?: unknown } | null): void {
  if (given?.mode === undefined || given.mode === 'graceful' || given.mode === 'now') return;
  throw ApplicationFailure.nonRetryable('Send { "mode": "graceful" } or { "mode": "now" }.', 'INVALID_INPUT');
}
