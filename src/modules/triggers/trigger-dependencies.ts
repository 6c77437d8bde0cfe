import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { TriggerDeliveryRef } from './trigger-sweep-repository.ts';
import type { RateLimiter } from '../../domain/rate-limiter.ts';
import type { KeyRing } from '../../platform/secrets/key-ring.ts';
import type { RoutineDependencies } from '../routines/routine-dependencies.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';

/** Everything that the use cases of triggers need from outside. */
export interface TriggerDependencies {
  database: Pick<Database, 'inWorkspace' | 'pipelined' | 'system'>;
  keyRing: Pick<KeyRing, 'seal' | 'open'>;
  rateLimiter: Pick<RateLimiter, 'take'>;
  /** The address under which vendors reach this API, without a slash at its end. */
  publicUrl: () => string;
  /** Starts the work of a stored delivery, without waiting. A delivery that is not started is started by the sweeper. */
  startTriggered: (ref: TriggerDeliveryRef) => void;
}

/** Everything that the start of a delivery's work needs from outside. */
export interface StartDependencies
  extends
    Pick<TurnDependencies, 'notifier' | 'startTurn' | 'cancelTurn' | 'notifyDecision' | 'checksOf'>,
    Pick<RoutineDependencies, 'startRoutine'> {
  database: Pick<Database, 'inWorkspace' | 'pipelined' | 'transact'>;
  logger: Pick<Logger, 'warn' | 'debug'>;
}
