import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { Lane, ReplayInput, Sampling } from '../../src/domain/replay.ts';
import type { RecordedCalls } from '../../src/replays/recorded-calls.ts';

/** The way in which a lane runs turns: its agent version with the changes of the candidate, and its settings. */
export interface LaneRun {
  version: AgentVersion;
  sampling: Sampling;
  prices: Prices;
}

/** The answers of tool calls, by the settings of the replay. */
export type AnswerRules = Pick<ReplayInput, 'toolAnswers' | 'onMiss' | 'stubs'>;

/** A recorded turn that is run again. */
export interface TurnToReplay {
  workspaceId: string;
  conversationId: string;
  turnId: string;
  lane: Exclude<Lane, 'original'>;
  /** The messages before the turn, and its own first one. */
  context: ContextMessage[];
  /** Messages that the user sent while the turn ran. */
  steering: ContextMessage[];
  recorded: RecordedCalls;
  rules: AnswerRules;
  /** The same for every attempt to run this turn in this lane; keys of calls are made from it. */
  key: string;
  signal: AbortSignal;
}
