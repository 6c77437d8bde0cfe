import type { CallModelInput, CallModelResult } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { runStep } from '../run-step.ts';
import { answerIteration } from './answer-iteration.ts';
import type { ContextCache } from './context-cache.ts';
import { listenForSteering } from './steering-notices.ts';

/**
 * Calls the model for one iteration of a turn and stores its answer. An answer that is stored already is
 * returned unchanged, so that no attempt pays twice for a finished answer.
 */
export function createCallModel(dependencies: ModelPort, contexts: ContextCache) {
  const { pipelined, wakeups } = dependencies;

  return (asked: CallModelInput): Promise<CallModelResult> =>
    runStep(asked, { pipelined, wakeups, what: 'the model was answering' }, async (input, run) => {
      const notices = listenForSteering(wakeups, input.turnId);
      try {
        const { result } = await answerIteration(dependencies, { input, run, notices, contexts });
        return result;
      } finally {
        notices.close();
      }
    });
}
