import { z } from 'zod';

/**
 * How a conversation that grows too long is shortened for its model: not at all, by leaving out the oldest turns, or by a
 * summary of them.
 */
export const compactionModes = ['off', 'oldest_first', 'summarize'] as const;
export type CompactionMode = (typeof compactionModes)[number];

export const compactionModeSchema = z
  .enum(compactionModes)
  .describe('How the conversation is shortened when it is too long for its model');

/** The maximum number of tokens of a context, above which it is shortened. */
export const compactionThresholdSchema = z
  .int()
  .min(500)
  .max(2_000_000)
  .nullable()
  .describe('The tokens above which the context is shortened; null for a number that fits the model');

export const summaryModelSchema = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .describe("The model that writes summaries; null for the agent's own");

/** Whether two models are of one vendor, so that the key of one serves for the other. */
export function isSameVendor(model: string, other: string): boolean {
  return model.split('/')[0] === other.split('/')[0];
}

/** The kinds of compaction, by what the model gets in place of the oldest turns. */
export const compactionKinds = ['references', 'oldest_first', 'summarize'] as const;
export type CompactionKind = (typeof compactionKinds)[number];

/** Where the context of a model call starts, by the last compaction of its conversation. */
export interface ContextStart {
  /** The last turn that is left out; 0 for none. */
  throughOrdinal: number;
  /** How many characters of the turn after it the summary covers too. */
  throughOffset: number;
  /** The last turn whose large tool results are references; 0 for none. */
  referencesThrough: number;
  /** The message that has the summary of the turns before; null for none. */
  summaryId: string | null;
  /** Its text; null when the caller said that it knows it. */
  summary: string | null;
  /** How many compactions were made before this very model call. */
  made: number;
}

/** The start of a conversation that was never compacted. */
export const wholeConversation: ContextStart = {
  throughOrdinal: 0,
  throughOffset: 0,
  referencesThrough: 0,
  summaryId: null,
  summary: null,
  made: 0,
};

/** The start of the context from one model call of a turn on. */
export interface StartOfTurn extends ContextStart {
  iteration: number;
}

/** Names the call for a summary in the ledger of credits, the same for all its attempts. */
export function toSummaryPart({ iteration, number }: { iteration: number; number: number }): string {
  return `summary/${iteration}/${number}`;
}
