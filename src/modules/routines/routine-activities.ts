import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { evaluatePrograms } from './expressions/evaluate-programs.ts';
import type { RoutineSteps } from './routine-contract.ts';
import type { RoutineActivityDependencies } from './routine-activity-dependencies.ts';
import { createReadRoutineCall } from './calls/read-routine-call.ts';
import { createReviewRoutine } from './runs/review-routine.ts';
import { createChildRunActivities } from './runs/child-run-activities.ts';
import { createEventActivities } from './runs/routine-event-activities.ts';
import { runCancellable } from './runs/cancellable-activities.ts';
import { runRoutineStep } from './run-routine-step.ts';
import { createSettleRoutine } from './runs/settle-routine.ts';

/** Builds the activities of the workflow that runs routines, except the one that calls tools. */
export function createRoutineActivities(
  dependencies: RoutineActivityDependencies,
): Omit<RoutineSteps, 'callRoutineTool'> {
  const { pipelined, checksOf } = dependencies;
  return {
    readRoutineCall: createReadRoutineCall(dependencies),
    reviewRoutine: createReviewRoutine(dependencies),
    settleRoutine: createSettleRoutine(dependencies),
    ...createEventActivities(dependencies),
    ...createChildRunActivities(dependencies),

    readRoutine: ({ workspaceId, runId, agentId, conversationId }) =>
      runRoutineStep(async () => {
        const run = await pipelined(workspaceId, ({ routineRuns }) => routineRuns.findRun(runId));
        // Clients of Temporal start workflows with any ids.
        if (run?.agentId !== agentId || run.conversationId !== conversationId)
          throw new HoldfastError('NOT_FOUND', `There is no such run ${runId} of a routine.`);
        const { routineName: name, version, document, input, limits } = run;
        return { name, version, document, input, limits };
      }),

    evaluateExpressions: ({ workspaceId, ...task }) =>
      runCancellable((signal) => evaluatePrograms(workspaceId, task, signal)),

    validateValue: ({ workspaceId, schema, value }) =>
      runCancellable(async () => {
        const checks = checksOf(workspaceId);
        // Checks take objects alone.
        const holder: JsonObject = { type: 'object', properties: { value: schema } };
        const wrong = await checks.checkSchema(holder, { value });
        if (wrong.length === 0) return null;
        return wrong
          .map(({ field, message }) => `${field.replace(/^value\.?/, '') || 'it'} ${message}`)
          .join('; ');
      }),

    storeRoutineSteps: ({ workspaceId, runId, steps }) =>
      runRoutineStep(() => pipelined(workspaceId, ({ routineRuns }) => routineRuns.storeSteps(runId, steps))),

    noteRoutineStatus: ({ workspaceId, runId, status }) =>
      runRoutineStep(() => pipelined(workspaceId, ({ routineRuns }) => routineRuns.setStatus(runId, status))),
  };
}
