import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ApprovalMode } from '../../src/domain/approval.ts';
import type { StartOfTurn } from '../../src/domain/compaction.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { CallAnswer, Lane, ReplayInput, Sampling } from '../../src/domain/replay.ts';
import type { Usage } from '../../src/domain/model.ts';
import type { TokenRatios } from '../../src/domain/token-estimate.ts';
import type { ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { NewAnswer } from '../../src/modules/turns/turn-answer-repository.ts';
import type { RecordedCall, RecordedCalls } from '../../src/modules/replays/recorded/recorded-calls.ts';

/** The way in which a lane runs turns: its agent version with the changes of the candidate, and its settings. */
export interface LaneRun {
  version: AgentVersion;
  sampling: Sampling;
  prices: Prices;
}

/** The answers of tool calls, by the settings of the replay. */
export type AnswerRules = Pick<ReplayInput, 'toolAnswers' | 'onMiss' | 'stubs'>;

/** How the context of a recorded turn was shortened, and how long it was. */
export interface SeenContext {
  /** Where the context started from some of its model calls on, oldest first. */
  starts: StartOfTurn[];
  /** The estimated share of the context budget that the longest context has used, and 1 at least. */
  fullest: number;
  /** The tokens of a byte as models have counted them in the conversation, and as the model of the turn did. */
  tokenRatios: TokenRatios;
  tokensPerByte: number;
}

/** A recorded turn that is run again. */
export interface TurnToReplay {
  workspaceId: string;
  conversationId: string;
  turnId: string;
  lane: Exclude<Lane, 'original'>;
  /** The schema that the final answer satisfies. */
  responseSchema: JsonObject | null;
  /** The messages before the turn, and its own first one. */
  context: ContextMessage[];
  seen: SeenContext;
  /** Messages that the user sent while the turn ran. */
  steering: ContextMessage[];
  recorded: RecordedCalls;
  rules: AnswerRules;
  /** The approval mode of the workspace. @default `never` */
  workspaceApproval?: ApprovalMode | null;
  /** The same for every attempt to run this turn in this lane; keys of calls are made from it. */
  key: string;
  signal: AbortSignal;
  /** Steps of the turn that are there already; it continues after them. @default none */
  begun?: { answers: ContextMessage[]; calls: RecordedCall[]; usage: Usage };
  /** Stores each step, when all of its calls are answered. @default nothing is stored */
  store?: (step: AnsweredStep) => Promise<void>;
  /** Called before a model call whose context was shortened as before a recorded one. @default nothing is stored */
  storeStart?: (start: StartOfTurn) => Promise<void>;
}

/** An answer of the model, with the ends of its calls by their indexes. */
export interface AnsweredStep {
  answer: NewAnswer;
  ends: ReplayedEnd[];
}

/** The end of a replayed call, and where it came from. */
export interface ReplayedEnd extends Pick<ToolCallEnd, 'status' | 'result' | 'resultBytes' | 'error'> {
  /** The parts of the result that are stored files. @default none */
  files?: JsonValue;
  answeredBy: CallAnswer;
  recordedCallId: string | null;
  /** The id under which the model knows the call. @default `recordedCallId` */
  shownId?: string;
  rule: string | null;
  /** The conditions for which a person would have to approve the call, by the rules of the lane. @default no approval needed */
  asks?: string[] | undefined;
}
