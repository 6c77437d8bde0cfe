import { CancellationScope, CancelledFailure, condition, uuid4, workflowInfo } from '@temporalio/workflow';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { createRoutineError, RoutineError, toProblem } from '../../../domain/routine-error.ts';
import type { RoutineRef } from '../routine-contract.ts';
import { createCalls, toOutput } from './calls.ts';
import { keepBusy, passGate, passHalt, waitFor, type RoutineControl } from './control.ts';
import { RoutineStopped, type ChildRunStep, type RoutineGround } from './ground.ts';
import { runAll, runRace, runUntil } from './scopes.ts';
import type { StepLog } from './step-log.ts';
import { createPureRoutineSteps, createRoutineSteps } from './steps.ts';

/** How many steps are kept until they are stored. */
const stepsPerStore = 100;

/** How long a run waits for a notification of events, or of the end of another run, until it polls; in milliseconds. */
const lookEveryMs = 10 * 60_000;

interface GroundParts {
  place: RoutineRef;
  control: RoutineControl;
  steps: StepLog;
  /** Called before each step. */
  onStep: () => void;
}

/** The ground of the interpreter in a workflow: waits are timers and signals, and everything else is an activity. */
export function createWorkflowGround(parts: GroundParts): RoutineGround {
  const { place, control, steps, onStep } = parts;
  const activities = createRoutineSteps();
  const pureSteps = createPureRoutineSteps();
  const { workspaceId } = place;
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    beforeStep: async () => {
      if (CancellationScope.current().consideredCancelled)
        throw new CancelledFailure('The branch was cancelled.');
      if (steps.unstored() >= stepsPerStore) {
        const stored = steps.takeUnstored();
        await keepBusy(control, () => activities.storeRoutineSteps({ ...place, steps: stored }));
      }
      if (workflowInfo().continueAsNewSuggested) control.isHalting = true;
      await passGate(control);
      onStep();
    },
    evaluate: (programs, dot, variables) =>
      keepBusy(control, async () => {
        const asked = { workspaceId, programs, dot, variables };
        const answer = await pureSteps.evaluateExpressions(asked);
        if ('problem' in answer) throw createRoutineError('expression', answer.problem);
        return answer.values;
      }),
    validate: (schema, value) =>
      keepBusy(control, () => pureSteps.validateValue({ workspaceId, schema, value })),
    sleepUntil: async (at) => {
      await passHalt(control);
      if (at > Date.now()) await condition(() => control.stop !== null, Math.round(at - Date.now()));
      await passHalt(control);
      if (control.stop !== null) throw new RoutineStopped('The run was stopped.');
    },
    ...createCalls(parts),
    emit: async (number, event) => {
      await passHalt(control);
      // Recorded, so that the event has the same id and time whenever it is emitted again.
      const complete = { specversion: '1.0', id: uuid4(), time: new Date().toISOString(), ...event };
      await keepBusy(control, () => activities.emitRoutineEvent({ ...place, step: number, event: complete }));
      return complete;
    },
    listen: (state, take) => listen(parts, state, take),
    runRoutine: (step) => runRoutine(parts, step),
    all: runAll,
    race: runRace,
    until: runUntil,
  };
}

async function listen(
  { place, control }: GroundParts,
  state: JsonObject,
  take: (event: JsonObject) => Promise<boolean>,
): Promise<void> {
  const activities = createRoutineSteps();
  const read = (after: number | null) =>
    keepBusy(control, () => activities.readRoutineEvents({ ...place, after }));
  await passHalt(control);
  if (typeof state.position !== 'number') state.position = (await read(null)).position;
  for (;;) {
    await passHalt(control);
    const before = control.wakes;
    const { events, position } = await read(state.position);
    // The change by an event and the position after it are one step: no event is taken twice when the workflow continues.
    const isDone = await keepBusy(control, async () => {
      for (const event of events) if (await take(event)) return true;
      state.position = position;
      return false;
    });
    if (isDone) return;
    if (events.length === 0) await waitFor(control, () => control.wakes > before, lookEveryMs);
  }
}

async function runRoutine(
  { place, control, steps }: GroundParts,
  { number, awaits, ...asked }: ChildRunStep,
): Promise<JsonValue> {
  const activities = createRoutineSteps();
  await passHalt(control);
  const started = await keepBusy(control, () =>
    activities.startChildRun({ ...place, step: number, ...asked }),
  );
  if ('problem' in started) throw new RoutineError(toProblem(started.problem));
  if (!awaits) return null;
  const { runId } = started;
  steps.waits(number, `run ${runId}`);
  for (;;) {
    const end = await keepBusy(control, () =>
      activities.readChildRun({ workspaceId: place.workspaceId, runId }),
    );
    if (end) return toOutput(end);
    await waitFor(control, () => control.changed.delete(runId), lookEveryMs);
  }
}
