import { createBeginToolCall, createEndToolCall } from './tool/child-call.ts';
import { createCallModel } from './model/call-model.ts';
import { createSummarizeContext } from './model/summarize-context.ts';
import { createContextCache } from './model/context-cache.ts';
import type { StepDependencies } from './step-dependencies.ts';
import { createExecuteToolCall } from './tool/tool-call.ts';
import { createReplayActivities } from './replay/create-replay-activities.ts';
import type { ReplayStepDependencies } from './replay/replay-services.ts';
import { createCallRoutineTool, type RoutineToolDependencies } from './routine/call-routine-tool.ts';
import { createSweepActivities, type SweeperParts } from '../src/platform/work/sweep-activities.ts';
import { createAcceptTurn } from './turn/accept-turn.ts';
import { createDecideWaitingAction } from './turn/decide-waiting-action.ts';
import { createReadSettledTurn } from './turn/read-settled-turn.ts';
import { createReviewActions } from './turn/review-actions.ts';
import { createRunRecordedTurn } from './replay/run-recorded-turn.ts';
import { createRunTurn } from './turn/run-turn.ts';
import { createSettleTurn } from './turn/settle-turn.ts';

/** The dependencies of the activities that execute turns, and model and tool calls for replays and routines. */
export interface ActivityDependencies {
  steps: StepDependencies;
  replays: Pick<ReplayStepDependencies, 'createServices'>;
  routines: Pick<RoutineToolDependencies, 'readOpenApi'>;
  sweeper: Pick<SweeperParts, 'sweeps' | 'failures'>;
}

/** Creates the activities that execute turns, replays and the tool calls of routines, and those of the sweeper. */
export function createActivities({ steps, replays, routines, sweeper }: ActivityDependencies) {
  const contexts = createContextCache();
  return {
    acceptTurn: createAcceptTurn(steps),
    beginToolCall: createBeginToolCall(steps),
    callModel: createCallModel(steps, contexts),
    callRoutineTool: createCallRoutineTool({ ...steps, ...routines }),
    summarizeContext: createSummarizeContext(steps),
    decideWaitingAction: createDecideWaitingAction(steps),
    endToolCall: createEndToolCall(steps),
    executeToolCall: createExecuteToolCall(steps),
    ...createReplayActivities({ ...steps, ...replays }),
    readTurn: createReadSettledTurn(steps),
    reviewActions: createReviewActions(steps),
    runRecordedTurn: createRunRecordedTurn({ ...steps, ...replays }),
    runTurn: createRunTurn(steps, contexts),
    settleTurn: createSettleTurn(steps),
    ...createSweepActivities({ ...sweeper, shutdown: steps.shutdown, logger: steps.logger }),
  };
}

/** The activities as workflows see them. */
export type Activities = ReturnType<typeof createActivities>;
