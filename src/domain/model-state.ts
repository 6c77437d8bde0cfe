import type { ErrorCode } from './errors.ts';

/** A model with the key that it is called with. */
export interface ModelChoice {
  model: string;
  /** Null for the operator's key. */
  connectionId: string | null;
}

/** A failure for which a model is to blame. */
export interface ModelFailure {
  code: ErrorCode;
  /** Set when the vendor says how long not to call it, in milliseconds. */
  waitMs?: number | undefined;
}

/** The state of a model that has failed since it last answered. */
export interface ModelState extends ModelChoice {
  failures: number;
  /** Until then it is passed over where another model can answer; null when it is not. */
  openUntil: Date | null;
  /** The code of the last failure; its message may quote a request of another workspace. */
  errorCode: ErrorCode;
  failedAt: Date;
}

/** Returns the circuit breakers of models as one workspace meets them. */
export type WorkspaceModelStates = (workspaceId: string) => ModelStates;

/**
 * The circuit breakers of models, which all processes share. A model whose circuit is open is passed over; when the time is
 * over, one call tries it again. The failures of a workspace open a circuit of the operator's key for it alone, until two
 * workspaces have an open one: then the model is passed over for all.
 */
export interface ModelStates {
  /** Whether a model should be passed over now. A caller that gets `false` after the time of a circuit makes the one trial. */
  isUnavailable: (choice: ModelChoice) => Promise<boolean>;
  /** Notes a failure for which the model is to blame. */
  failed: (choice: ModelChoice, failure: ModelFailure) => Promise<void>;
  /** Notes an answer. */
  answered: (choice: ModelChoice) => void;
  /** Lists the models that have failed since they last answered. */
  list: () => Promise<ModelState[]>;
}
