import type { ErrorCode } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { TurnOutcome } from '../../../domain/turn-status.ts';
import { sendCommand } from './control-run.ts';
import type { RoutineSteps, SettleRoutineInput } from '../routine-contract.ts';
import type { RoutineActivityDependencies } from '../routine-activity-dependencies.ts';
import { runRoutineStep } from '../run-routine-step.ts';

const outcomes: Record<SettleRoutineInput['status'], TurnOutcome> = {
  completed: 'completed',
  faulted: 'failed',
  cancelled: 'cancelled',
};

/** Stores how a run ended, ends its turn with its open calls, stops the runs below it and notifies the run above. */
export function createSettleRoutine(
  dependencies: RoutineActivityDependencies,
): RoutineSteps['settleRoutine'] {
  const { pipelined, routines, settleTurn, logger } = dependencies;
  return (input) =>
    runRoutineStep(async () => {
      const { workspaceId, runId, status, output, error, steps, stopped: mode = 'now' } = input;
      // First, so that the turn of an ended run has ended as well.
      await settleTurn({
        ...{ workspaceId, turnId: runId, outcome: outcomes[status], iterations: 0 },
        ...(error ? { error: { code: toCode(error), message: toMessage(error) } } : {}),
      });
      const [, ended, run, children] = await pipelined(workspaceId, ({ routineRuns }) =>
        Promise.all([
          routineRuns.storeSteps(runId, steps),
          routineRuns.settleRun({ runId, status, output, error }),
          routineRuns.getRun(runId),
          routineRuns.listOpenChildren(runId),
        ]),
      );
      for (const child of children)
        await sendCommand(routines, { workspaceId }, { runId: child, command: { name: 'stop', mode } }).catch(
          () => undefined,
        );
      if (run.parentRunId !== null) await routines.wakeRoutine(run.parentRunId, runId);
      if (ended) logger.info({ runId, status }, 'routine run settled');
    });
}

/** The title of a problem of a call is its code; a budget that ended a run is the reason of the end of its turn. */
function toCode({ title }: JsonObject): ErrorCode {
  return title === 'BUDGET_EXCEEDED' ? title : 'TOOL_FAILED';
}

function toMessage({ title, detail, type }: JsonObject): string {
  const summary = [title, detail].filter((text) => typeof text === 'string').join(': ');
  if (summary !== '') return summary;
  return typeof type === 'string' ? type : 'the routine failed';
}
