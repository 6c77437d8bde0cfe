/** What a turn may use. All times are in milliseconds. */
export interface TurnLimits {
  /** How long one model or tool call may take. */
  activityTimeoutMs: number;
  /** How long the whole turn may take. */
  turnTimeoutMs: number;
  /** How many rounds of model call and tool calls a turn may take. */
  maxIterations: number;
  /** How much of the conversation's text a model call is given, newest first, in characters. */
  contextCharacters: number;
  /** How many tokens the model calls of a turn may take in all, those of its child turns included. */
  maxTokens: number;
  /** How deep agents may call agents; 0 for agents that call none. */
  maxAgentDepth: number;
}

/** The limits of an agent that names none. */
export const defaultLimits: TurnLimits = {
  activityTimeoutMs: 30_000,
  turnTimeoutMs: 120_000,
  maxIterations: 10,
  contextCharacters: 400_000,
  maxTokens: 10_000_000,
  maxAgentDepth: 3,
};

/** The least and the most that an agent may ask for. */
export const limitBounds: Record<keyof TurnLimits, { min: number; max: number }> = {
  activityTimeoutMs: { min: 1_000, max: 600_000 },
  turnTimeoutMs: { min: 2_000, max: 3_600_000 },
  maxIterations: { min: 1, max: 100 },
  contextCharacters: { min: 1_000, max: 4_000_000 },
  maxTokens: { min: 1_000, max: 1_000_000_000 },
  maxAgentDepth: { min: 0, max: 10 },
};

/** How long before its hard run timeout a turn stops by itself and says what it has. */
const settleReserveMs = 15_000;

/**
 * The time that a turn's steps may use: the turn's timeout less what it needs to end in order,
 * which is never more than a quarter of it.
 */
export function toSoftDeadlineMs(turnTimeoutMs: number): number {
  return turnTimeoutMs - Math.min(settleReserveMs, turnTimeoutMs / 4);
}
