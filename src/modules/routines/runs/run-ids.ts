import { toTurnId } from '../../../platform/lib/ids.ts';

/** Returns the id of a run that a workspace starts under an idempotency key, the same for every retry. */
export function toRunId(workspaceId: string, idempotencyKey: string): string {
  return toTurnId(workspaceId, `routine run\n${idempotencyKey}`);
}

/** Returns the id of what a step of a run makes, the same for every attempt of the step. */
export function toStepId(runId: string, what: string): string {
  return toTurnId(runId, what);
}
