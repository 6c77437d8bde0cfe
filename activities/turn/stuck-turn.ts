import { toStuckError } from '../../src/domain/stuck-workflow.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import type { StuckEnding } from '../../src/platform/work/end-stuck-work.ts';
import { createSettleTurn } from './settle-turn.ts';

/** Creates the ending of a turn that was stopped and whose workflow is stuck. */
export function createStuckTurnEnding(dependencies: StepDependencies): StuckEnding {
  const settleTurn = createSettleTurn(dependencies);
  return {
    store: ({ workspaceId, subjectId: turnId }, stuck) =>
      settleTurn({ workspaceId, turnId, iterations: 0, outcome: 'failed', error: toStuckError(stuck) }),
  };
}
