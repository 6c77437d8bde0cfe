import { EventEmitter } from 'node:events';
import type { Database } from '../../src/db/connect-database.ts';
import type { TurnDependencies } from '../../src/turns/turn-dependencies.ts';
import type { AgentTurnInput } from '../../workflows/contract/turn-steps.ts';

/** What use cases of turns have told the engine, the workers, the readers and the log. */
interface RecordedCalls {
  started: AgentTurnInput[];
  cancelled: string[];
  stopped: string[];
  notified: string[];
  warnings: unknown[];
}

/** Dependencies of the use cases of turns over a real database; what goes to other processes is recorded. */
export function createRecordedTurns(database: Database, changes: Partial<TurnDependencies> = {}) {
  const calls: RecordedCalls = { started: [], cancelled: [], stopped: [], notified: [], warnings: [] };
  const bells = new EventEmitter();
  const turns: TurnDependencies = {
    database,
    startTurn: (input) => Promise.resolve(void calls.started.push(input)),
    cancelTurn: (turnId) => Promise.resolve(void calls.cancelled.push(turnId)),
    notifier: {
      events: (conversationId) => {
        calls.notified.push(conversationId);
        bells.emit(conversationId);
      },
      stop: (turnId) => calls.stopped.push(turnId),
    },
    wakeups: {
      onEvents: (conversationId, wake) => {
        bells.on(conversationId, wake);
        return () => bells.off(conversationId, wake);
      },
    },
    logger: { warn: (details: unknown) => calls.warnings.push(details) },
    ...changes,
  };
  return { turns, calls, bells };
}
