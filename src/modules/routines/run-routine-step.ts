import { toActivityFailure } from '../../platform/activity/failures.ts';

/** Runs a step of a routine, whose errors Temporal gets in its own form. */
export async function runRoutineStep<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw toActivityFailure(error);
  }
}
