/** The limits of a turn. All times are in milliseconds. */
export interface TurnLimits {
  /** How long one model or tool call may take. */
  activityTimeoutMs: number;
  /** How long the whole turn may take. */
  turnTimeoutMs: number;
  /** How many rounds of model call and tool calls a turn may take. */
  maxIterations: number;
  /** The most characters of the conversation that a model call is given, newest first. */
  contextCharacters: number;
  /** The most tokens of all model calls of a turn, those of its child turns included. */
  maxTokens: number;
  /** How deep calls of agents by agents may nest; 0 for an agent that calls none. */
  maxAgentDepth: number;
}

/** The limits of an agent that sets none. */
export const defaultLimits: TurnLimits = {
  activityTimeoutMs: 30_000,
  turnTimeoutMs: 120_000,
  maxIterations: 10,
  contextCharacters: 400_000,
  maxTokens: 10_000_000,
  maxAgentDepth: 3,
};

/** The least and the most that an agent may set. */
export const limitBounds: Record<keyof TurnLimits, { min: number; max: number }> = {
  activityTimeoutMs: { min: 1_000, max: 600_000 },
  turnTimeoutMs: { min: 2_000, max: 3_600_000 },
  maxIterations: { min: 1, max: 100 },
  contextCharacters: { min: 1_000, max: 4_000_000 },
  maxTokens: { min: 1_000, max: 1_000_000_000 },
  maxAgentDepth: { min: 0, max: 10 },
};

/** How long before its run timeout a turn stops by itself and stores its outcome. */
const settleReserveMs = 15_000;

/**
 * Returns the time that the steps of a turn may use: the timeout of the turn less a reserve to store its outcome,
 * which is at most a quarter of the timeout.
 */
export function toSoftDeadlineMs(turnTimeoutMs: number): number {
  return turnTimeoutMs - Math.min(settleReserveMs, turnTimeoutMs / 4);
}
