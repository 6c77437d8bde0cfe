import { createAcceptTurn } from './turn/accept-turn.ts';
import { createReadSettledTurn } from './turn/read-settled-turn.ts';
import { createBeginToolCall } from './tool/begin-tool-call.ts';
import { createCallModel } from './model/call-model.ts';
import { createSummarizeContext } from './model/summarize-context.ts';
import { createContextCache } from './model/context-cache.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { createEndToolCall } from './tool/end-tool-call.ts';
import { createExecuteToolCall } from './tool/execute-tool-call.ts';
import { createDocumentActivities } from './document/create-document-activities.ts';
import { createReplayActivities } from './replay/create-replay-activities.ts';
import { createRoutineActivities } from './routine/create-routine-activities.ts';
import { createRemovalActivities } from './retention/create-removal-activities.ts';
import { createDecideWaitingAction } from './turn/decide-waiting-action.ts';
import { createReviewActions } from './turn/review-actions.ts';
import { createRunRecordedTurn } from './replay/run-recorded-turn.ts';
import { createScheduleActivities } from './schedule/create-schedule-activities.ts';
import { createRunTurn } from './turn/run-turn.ts';
import { createSwarmActivities } from './swarm/create-swarm-activities.ts';
import { createSettleTurn } from './turn/settle-turn.ts';
import { createSweepActivities } from './sweep/create-sweep-activities.ts';
import { createDeliveryActivities } from './webhook/create-delivery-activities.ts';

/** Creates all activities with their dependencies. */
export function createActivities(dependencies: ActivityDependencies) {
  const contexts = createContextCache();
  return {
    acceptTurn: createAcceptTurn(dependencies),
    beginToolCall: createBeginToolCall(dependencies),
    callModel: createCallModel(dependencies, contexts),
    summarizeContext: createSummarizeContext(dependencies),
    decideWaitingAction: createDecideWaitingAction(dependencies),
    endToolCall: createEndToolCall(dependencies),
    executeToolCall: createExecuteToolCall(dependencies),
    ...createDeliveryActivities(dependencies),
    ...createDocumentActivities(dependencies),
    ...createRemovalActivities(dependencies),
    ...createReplayActivities(dependencies),
    ...createRoutineActivities(dependencies),
    ...createSwarmActivities(dependencies),
    readTurn: createReadSettledTurn(dependencies),
    reviewActions: createReviewActions(dependencies),
    runRecordedTurn: createRunRecordedTurn(dependencies),
    runTurn: createRunTurn(dependencies, contexts),
    ...createScheduleActivities(dependencies),
    settleTurn: createSettleTurn(dependencies),
    ...createSweepActivities(dependencies),
  };
}

/** The activities as workflows see them. */
export type Activities = ReturnType<typeof createActivities>;
