import { createThreadPool, type ThreadLimits } from '../../../platform/lib/thread-pool.ts';
import { toThreadProgram } from '../../../platform/lib/thread.ts';
import type { JqAnswer, JqTask } from './jq-task.ts';

const program = toThreadProgram('jq-thread', import.meta.url);

/**
 * Evaluates jq programs of a workspace, until the signal aborts.
 * @throws the reason of the signal; HoldfastError `SERVICE_UNAVAILABLE` when there was no time for them
 */
export type EvaluatePrograms = (workspaceId: string, task: JqTask, signal?: AbortSignal) => Promise<JqAnswer>;

/**
 * Builds the evaluation of jq programs in threads, since a short program may run forever: a thread whose task takes longer
 * than its time is ended.
 */
export function createProgramEvaluation(limits: ThreadLimits = {}): EvaluatePrograms {
  const run = createThreadPool<JqTask, JqAnswer>({ ...limits, program, what: 'evaluates expressions' });
  return async (workspaceId, task, signal) => {
    const outcome = await run(workspaceId, task, signal);
    if ('answer' in outcome) return outcome.answer;
    return { problem: `the evaluation was ended: ${outcome.refusal}` };
  };
}

/** The evaluation of this process, with one pool of threads for all workspaces. */
export const evaluatePrograms = createProgramEvaluation();
