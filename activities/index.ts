import { createAcceptTurn, createReadTurn } from './accept-turn.ts';
import { createBeginToolCall } from './begin-tool-call.ts';
import { createCallModel } from './call-model.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createEndToolCall } from './end-tool-call.ts';
import { createExecuteToolCall } from './execute-tool-call.ts';
import { createIngestDocument } from './ingest-document.ts';
import { createSettleTurn } from './settle-turn.ts';
import { createSweepTurns } from './sweep-turns.ts';

/** All activities, bound to what they need from outside. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    acceptTurn: createAcceptTurn(dependencies),
    beginToolCall: createBeginToolCall(dependencies),
    callModel: createCallModel(dependencies),
    endToolCall: createEndToolCall(dependencies),
    executeToolCall: createExecuteToolCall(dependencies),
    ...createIngestDocument(dependencies),
    readTurn: createReadTurn(dependencies),
    settleTurn: createSettleTurn(dependencies),
    sweepTurns: createSweepTurns(dependencies),
  };
}

/** The activities as workflows see them. */
export type Activities = ReturnType<typeof createActivities>;
