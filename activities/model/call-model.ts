import type { CallModelInput, CallModelResult } from '../../workflows/contract/turn-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { runStep } from '../run-step.ts';
import { answerAndStore } from './answer-and-store.ts';
import type { ContextCache } from './context-cache.ts';
import { readModelStep, readStoredResult } from './read-model-step.ts';

/**
 * Calls the model for one iteration of a turn and stores its answer. An answer that is stored already is
 * returned unchanged, so that no attempt pays twice for a finished answer.
 */
export function createCallModel(dependencies: ActivityDependencies, contexts: ContextCache) {
  const { pipelined, wakeups } = dependencies;

  return (asked: CallModelInput): Promise<CallModelResult> =>
    runStep(asked, { pipelined, wakeups, what: 'the model was answering' }, async (input, run) => {
      const read = await readModelStep(dependencies, contexts, input);
      if (read.step.stored) return readStoredResult(dependencies, input, read.step);
      const { result } = await answerAndStore(dependencies, { ...read, input, run });
      return result;
    });
}
