import type { RoutineSteps } from '../routine-contract.ts';
import type { RoutineActivityDependencies } from '../routine-activity-dependencies.ts';
import { runRoutineStep } from '../run-routine-step.ts';

/** How often a run reads what it waits for when no notification of a change arrives; in milliseconds. */
const lookEveryMs = 60 * 60 * 1000;

/** Applies the time to the actions that a run waits for, and lists those that are left, with turns below that wait. */
export function createReviewRoutine({
  transact,
  notifier,
}: RoutineActivityDependencies): RoutineSteps['reviewRoutine'] {
  return ({ workspaceId, runId, conversationId }) =>
    runRoutineStep(async () => {
      const review = await transact(workspaceId, async ({ waiting }) => {
        await waiting.applyTime(runId);
        const actions = await waiting.listPending(runId);
        const children = await waiting.listWaitingChildren(runId);
        const soonest = Math.min(Date.now() + lookEveryMs, ...actions.map(({ dueAt }) => dueAt));
        return { pending: [...actions.map(({ id }) => id), ...children], dueAt: soonest };
      });
      notifier.events(conversationId);
      return review;
    });
}
