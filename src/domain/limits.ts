/** The limits of a turn. All times are in milliseconds. */
export interface TurnLimits {
  /** The timeout of one tool call, and of the silence of a model: what streams is alive. */
  activityTimeoutMs: number;
  /** The timeout of one whole model call, within the time of the turn. */
  modelTimeoutMs: number;
  /** The timeout of the whole turn, from its first step. */
  turnTimeoutMs: number;
  /** How long a turn waits for a worker before its first step. */
  startTimeoutMs: number;
  /** How long in all a turn may be without a worker after its first step: that time is not part of `turnTimeoutMs`. */
  absenceTimeoutMs: number;
  /** The maximum number of iterations of a turn; each is a model call with its tool calls. */
  maxIterations: number;
  /** The maximum number of characters of the conversation that a model call receives; the oldest messages are left out. */
  contextCharacters: number;
  /** The maximum number of tokens of all model calls of a turn, including those of its child turns. */
  maxTokens: number;
  /** The maximum number of nested calls of agents by agents; 0 for an agent that may call none. */
  maxAgentDepth: number;
  /** How long a tool call waits for the decision of a person. */
  approvalTimeoutMs: number;
}

/** The default limits of an agent. */
export const defaultLimits: TurnLimits = {
  activityTimeoutMs: 30_000,
  modelTimeoutMs: 3_600_000,
  turnTimeoutMs: 120_000,
  startTimeoutMs: 600_000,
  absenceTimeoutMs: 600_000,
  maxIterations: 10,
  contextCharacters: 400_000,
  maxTokens: 10_000_000,
  maxAgentDepth: 3,
  approvalTimeoutMs: 604_800_000,
};

/** The lowest and the highest value that an agent may set for each limit. */
export const limitBounds: Record<keyof TurnLimits, { min: number; max: number }> = {
  activityTimeoutMs: { min: 1_000, max: 600_000 },
  modelTimeoutMs: { min: 1_000, max: 3_600_000 },
  turnTimeoutMs: { min: 2_000, max: 3_600_000 },
  startTimeoutMs: { min: 1_000, max: 86_400_000 },
  absenceTimeoutMs: { min: 0, max: 86_400_000 },
  maxIterations: { min: 1, max: 100 },
  contextCharacters: { min: 1_000, max: 4_000_000 },
  maxTokens: { min: 1_000, max: 1_000_000_000 },
  maxAgentDepth: { min: 0, max: 10 },
  approvalTimeoutMs: { min: 1_000, max: 2_592_000_000 },
};

/** The sentence of an error that names the setting for the time of a turn. */
export const turnTimeHint = 'limits.turnTimeoutMs of the agent sets its time.';

/** The longest time before its run timeout at which a turn stops and stores its outcome. */
const settleReserveMs = 15_000;

/** Returns the part of a turn's timeout that is left for storing its outcome: at most a quarter. */
export function toSettleReserveMs(turnTimeoutMs: number): number {
  return Math.min(settleReserveMs, turnTimeoutMs / 4);
}

/** Returns the time that the steps of a turn may use: its timeout less the reserve for storing its outcome. */
export function toSoftDeadlineMs(turnTimeoutMs: number): number {
  return turnTimeoutMs - toSettleReserveMs(turnTimeoutMs);
}
