import { EventEmitter } from 'node:events';
import type { Database } from '../../src/platform/database/connect-database.ts';
import { createBatchReader } from '../../src/modules/turns/follow/batch-reader.ts';
import type { FollowDependencies } from '../../src/modules/turns/follow/follow-turn.ts';
import type { TurnDependencies } from '../../src/modules/turns/turn-dependencies.ts';
import { schemaChecksOf } from '../../src/engines/tools/json-schema/schema-checks.ts';
import type { AgentTurnInput } from '../../src/contract/turn-steps.ts';

/** The recorded calls of the use cases of turns to Temporal, workers, readers and log. */
interface RecordedCalls {
  started: AgentTurnInput[];
  cancelled: string[];
  /** The turns that were notified of a decided or cancelled action. */
  told: { turnId: string; actionId: string }[];
  stopped: string[];
  /** The turns whose model call was interrupted by a message. */
  steeredNow: string[];
  notified: string[];
  warnings: unknown[];
}

/** Creates the dependencies of use cases of turns with a real database; calls to other processes are recorded. */
export function createRecordedTurns(
  database: Database,
  changes: Partial<TurnDependencies & FollowDependencies> = {},
) {
  const calls: RecordedCalls = {
    started: [],
    cancelled: [],
    told: [],
    stopped: [],
    steeredNow: [],
    notified: [],
    warnings: [],
  };
  const bells = new EventEmitter();
  const turns: TurnDependencies & FollowDependencies = {
    database,
    readBatch: createBatchReader(database),
    openStreams: { open: (_owner, signal) => signal },
    startTurn: (input) => Promise.resolve(void calls.started.push(input)),
    cancelTurn: (turnId) => Promise.resolve(void calls.cancelled.push(turnId)),
    notifyDecision: (turnId, actionId) => Promise.resolve(void calls.told.push({ turnId, actionId })),
    notifier: {
      events: (conversationId) => {
        calls.notified.push(conversationId);
        bells.emit(conversationId);
      },
      stop: (turnId) => calls.stopped.push(turnId),
      steerNow: (turnId) => calls.steeredNow.push(turnId),
    },
    wakeups: {
      onEvents: (conversationId, wake) => {
        bells.on(conversationId, wake);
        return () => bells.off(conversationId, wake);
      },
      onChunks: () => () => undefined,
      isListening: () => false,
    },
    checksOf: schemaChecksOf,
    logger: { warn: (details: unknown) => calls.warnings.push(details), debug: () => undefined },
    ...changes,
  };
  return { turns, calls, bells };
}
