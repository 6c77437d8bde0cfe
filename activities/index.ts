import { createAcceptTurn, createReadTurn } from './accept-turn.ts';
import { createCallModel } from './call-model.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createExecuteToolCall } from './execute-tool-call.ts';
import { createSettleTurn } from './settle-turn.ts';
import { createSweepTurns } from './sweep-turns.ts';

/** All activities, bound to what they need from outside. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    acceptTurn: createAcceptTurn(dependencies),
    callModel: createCallModel(dependencies),
    executeToolCall: createExecuteToolCall(dependencies),
    readTurn: createReadTurn(dependencies),
    settleTurn: createSettleTurn(dependencies),
    sweepTurns: createSweepTurns(dependencies),
  };
}

/** The activities as workflows see them. */
export type Activities = ReturnType<typeof createActivities>;
