import type { AgentVersion } from '../../domain/agent.ts';
import type { CompactionKind } from '../../domain/compaction.ts';
import type { NewEvent } from '../../domain/event.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Usage } from '../../domain/model.ts';
import type { RecordedPart } from '../../domain/recorded-part.ts';
import type { RecordedCall } from '../../domain/recording.ts';
import type { RefusedAnswer } from '../../domain/response-schema.ts';
import type { ToolEffect } from '../../domain/tool.ts';
import type { ToolCallStatus } from '../../domain/turn.ts';

interface ImportedMessage {
  id: string;
  iteration: number;
  steeredOrdinal: number;
  role: 'user' | 'assistant' | 'summary';
  text: string;
  /** Null for a message that is text only. Files have the ids that they had where they were recorded. */
  parts: RecordedPart[] | null;
  finishReason: string | null;
  providerContent: JsonValue | null;
  refused: RefusedAnswer | null;
  createdAt: string;
}

interface ImportedCall {
  id: string;
  /** The id under which the models of the recording know it; null when it is none that a call can have here. */
  recordedCallId: string | null;
  iteration: number;
  index: number;
  key: string;
  modelCallId: string;
  name: string;
  /** The tool, as far as it is known. */
  tool: { type: string; name: string } | null;
  effect: ToolEffect;
  arguments: JsonObject | null;
  invalidArguments: string | null;
  argumentsHash: string;
  status: Exclude<ToolCallStatus, 'requested' | 'started'>;
  attempts: number;
  result: string | null;
  resultBytes: number | null;
  error: RecordedCall['error'];
  childTurnId: string | null;
  startedAt: string;
  endedAt: string;
}

interface ImportedModelCall extends Usage {
  id: string;
  iteration: number;
  model: string;
  answeredBy: string;
  toolChoice: string | null;
  leftOut: string[] | null;
  sampling: JsonObject | null;
  contextFrom: number | null;
}

/** One time that the context was shortened before a model call. */
export interface ImportedCompaction extends Usage {
  id: string;
  iteration: number;
  /** Counts the compactions before the same model call, from 1. */
  number: number;
  kind: CompactionKind;
  fromOrdinal: number;
  throughOrdinal: number;
  throughOffset: number;
  referencesThrough: number;
  /** The message of the summary that holds from then on. */
  messageId: string | null;
  tokensBefore: number;
  tokensAfter: number;
  model: string | null;
  answeredBy: string | null;
  credits: string | null;
  error: RecordedCall['error'];
  createdAt: string;
  /** The turns that it concerns, and the number of results that it made references, for its event. */
  fromTurnId: string | null;
  throughTurnId: string | null;
  references: number;
  /** The summary that it made. */
  text: string | null;
}

/** A turn that has ended before it is stored, with all of its rows. */
export interface ImportedTurn {
  conversationId: string;
  turnId: string;
  messageId: string;
  ordinal: number;
  status: string;
  answer: string | null;
  responseSchema: JsonObject | null;
  answerJson: JsonObject | null;
  error: RecordedCall['error'];
  iterations: number;
  usage: Usage;
  hidden: boolean;
  parentTurnId: string | null;
  parentCallId: string | null;
  steered: number;
  createdAt: string;
  startedAt: string;
  settledAt: string;
  characters: number;
  requestHash: string;
  messages: ImportedMessage[];
  calls: ImportedCall[];
  modelCalls: ImportedModelCall[];
  compactions: ImportedCompaction[];
  events: (NewEvent & { createdAt: string })[];
}

/** The conversation of imported turns. */
export interface ImportedConversation {
  conversationId: string;
  agentId: string;
  title: string | null;
  tags: string[];
  createdAt: string;
  /** The normal form of the name of the person to whom it belongs. */
  person: string | null;
}

/** The state of a conversation before a turn is imported into it. */
export interface ImportState {
  isDeleted: boolean;
  /** Whether it was imported, and not held here. */
  isImported: boolean;
  isBusy: boolean;
  lastOrdinal: number;
  hasTurn: boolean;
}

/** The agent version that imported turns have. */
export type ImportedVersion = Pick<
  AgentVersion,
  | 'id'
  | 'agentId'
  | 'version'
  | 'name'
  | 'model'
  | 'instructions'
  | 'limits'
  | 'rules'
  | 'toolCallsInText'
  | 'tools'
>;
