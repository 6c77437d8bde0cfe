/** The limits of a turn. All times are in milliseconds. */
export interface TurnLimits {
  /** The timeout of one model or tool call. */
  activityTimeoutMs: number;
  /** The timeout of the whole turn. */
  turnTimeoutMs: number;
  /** The most iterations of a turn; each is a model call with its tool calls. */
  maxIterations: number;
  /** The most characters of the conversation that a model call receives; the oldest messages are left out. */
  contextCharacters: number;
  /** The most tokens of all model calls of a turn, including those of its child turns. */
  maxTokens: number;
  /** The most nested calls of agents by agents; 0 for an agent that may call none. */
  maxAgentDepth: number;
}

/** The default limits of an agent. */
export const defaultLimits: TurnLimits = {
  activityTimeoutMs: 30_000,
  turnTimeoutMs: 120_000,
  maxIterations: 10,
  contextCharacters: 400_000,
  maxTokens: 10_000_000,
  maxAgentDepth: 3,
};

/** The lowest and the highest value that an agent may set for each limit. */
export const limitBounds: Record<keyof TurnLimits, { min: number; max: number }> = {
  activityTimeoutMs: { min: 1_000, max: 600_000 },
  turnTimeoutMs: { min: 2_000, max: 3_600_000 },
  maxIterations: { min: 1, max: 100 },
  contextCharacters: { min: 1_000, max: 4_000_000 },
  maxTokens: { min: 1_000, max: 1_000_000_000 },
  maxAgentDepth: { min: 0, max: 10 },
};

/** The time before its run timeout at which a turn stops and stores its outcome. */
const settleReserveMs = 15_000;

/**
 * Returns the time that the steps of a turn may use: the timeout of the turn less a reserve for storing its outcome.
 * The reserve is at most a quarter of the timeout.
 */
export function toSoftDeadlineMs(turnTimeoutMs: number): number {
  return turnTimeoutMs - Math.min(settleReserveMs, turnTimeoutMs / 4);
}
