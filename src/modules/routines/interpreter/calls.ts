import type { JsonValue } from '../../../domain/json.ts';
import { defaultLimits } from '../../../domain/limits.ts';
import { RoutineError, toProblem } from '../../../domain/routine-error.ts';
import { runChildCall } from '../../../../workflows/child-tool-call.ts';
import type { TurnClock } from '../../../../workflows/turn-clock.ts';
import type { RoutineCallEnd, RoutineCallResult, RoutineRef } from '../routine-contract.ts';
import { keepBusy, passHalt, waitFor, type RoutineControl } from './control.ts';
import type { CallStep, RoutineGround } from './ground.ts';
import type { StepLog } from './step-log.ts';
import { createChildCallSteps, createRoutineSteps } from './steps.ts';

interface CallParts {
  place: RoutineRef;
  control: RoutineControl;
  steps: StepLog;
}

/** The longest time of a call whose task has no timeout, in milliseconds; that of its tool is shorter. */
const longestCallMs = 610_000;

/** The longest time of a workflow or an agent that a call starts and whose task has no timeout, in milliseconds. */
const longestChildMs = 60 * 60_000;

/** Starts the clock of a call that starts a workflow or an agent. A run has no hard limit that would end it before. */
function startCallClock(timeMs: number): TurnClock {
  const deadlineAt = Date.now() + timeMs;
  return { timeMs, deadlineAt, hardDeadlineAt: deadlineAt + defaultLimits.absenceTimeoutMs, reportMs: 0 };
}

/** Builds the calls of a run: one activity, or another workflow, and days of waiting where a person has to decide. */
export function createCalls(parts: CallParts): Pick<RoutineGround, 'call'> {
  return {
    call: async (step) => {
      for (;;) {
        await passHalt(parts.control);
        const ended = await runOnce(parts, step);
        if (!('actionId' in ended)) return toOutput(ended);
        await waitForAction(parts, step, ended.actionId);
      }
    },
  };
}

type Ended = Exclude<RoutineCallResult, { child: unknown }>;

async function runOnce({ place, control }: CallParts, step: CallStep): Promise<Ended> {
  const activities = createRoutineSteps();
  const { number, call, arguments: given, secrets, timeoutMs } = step;
  const named = secrets.length > 0 ? { secrets } : {};
  const asked = { ...place, step: number, call, arguments: given };
  const result = await keepBusy(control, () =>
    activities.callRoutineTool(
      { summary: call, timeoutMs: timeoutMs ?? longestCallMs },
      { ...asked, ...named, timeoutMs },
    ),
  );
  if (!('child' in result)) return result;
  const ended = await keepBusy(control, () =>
    runChildCall({
      steps: createChildCallSteps(),
      clock: startCallClock(timeoutMs ?? longestChildMs),
      place: {
        workspaceId: place.workspaceId,
        conversationId: place.conversationId,
        turnId: place.runId,
        iteration: number,
      },
      call: result.child,
      onChild: () => undefined,
      changed: control.changed,
    }),
  );
  if (ended.actionId !== undefined) return { actionId: ended.actionId };
  return keepBusy(control, () => activities.readRoutineCall(asked));
}

/** Waits until an action, or a turn below that waits for people, was decided or has ended. It holds no worker. */
async function waitForAction(
  { place, control, steps }: CallParts,
  { number }: CallStep,
  actionId: string,
): Promise<void> {
  const activities = createRoutineSteps();
  steps.waits(number, `action ${actionId}`);
  while (!control.changed.delete(actionId)) {
    const { pending, dueAt } = await keepBusy(control, () => activities.reviewRoutine(place));
    if (!pending.includes(actionId)) break;
    await passHalt(control);
    await waitFor(control, () => control.changed.has(actionId), dueAt - Date.now());
  }
  steps.waits(number, null);
}

/** Returns the output of a call or a run. @throws RoutineError */
export function toOutput(end: RoutineCallEnd): JsonValue {
  if ('problem' in end) throw new RoutineError(toProblem(end.problem));
  return end.output;
}
