import type { CompactionMode, ContextStart } from './compaction.ts';
import { estimateTokens, toFullness, type ContextBudget } from './context-budget.ts';
import { toSummaryMessage, withReferences, type ContextMessage } from './model-context.ts';

/**
 * The share of its budget that a context uses after a compaction, at most. It grows from there for many turns, so that the
 * beginning of the requests stays the same for as long, which is what the caches of vendors need.
 */
const lowMark = 0.5;

/** The share of the context budget that is kept for a summary. */
export const summaryShare = 0.15;

/** How a context is to be shortened. */
export interface CompactionPlan {
  /** The last turn that is left out, or summarized. */
  throughOrdinal: number;
  /** The last turn whose large tool results are replaced by references. */
  referencesThrough: number;
  /** The estimated tokens of the model call without it, and with it. */
  tokensBefore: number;
  tokensAfter: number;
  /** How many results are replaced. */
  references: number;
}

interface PlanOptions {
  mode: CompactionMode;
  room: ContextBudget;
  start: Pick<ContextStart, 'throughOrdinal' | 'referencesThrough'>;
}

/**
 * Plans how a context that exceeds its budget is shortened: large tool results of old turns become references; when that is
 * not enough, the oldest turns are left out. The turn that runs stays, and the one before it where it fits. Null when the
 * context fits, and when nothing can be left out.
 */
export function planCompaction(
  context: readonly ContextMessage[],
  { mode, room, start }: PlanOptions,
): CompactionPlan | null {
  if (mode === 'off' || toFullness(context, room) <= 1) return null;
  const ordinals = listOldTurns(context);
  const last = ordinals.at(-1) ?? 0;
  const plan = (throughOrdinal: number, referencesThrough: number): Candidate => {
    const kept = withReferences(leaveOut(context, throughOrdinal), referencesThrough);
    return { throughOrdinal, referencesThrough, kept };
  };
  // The turn before the one that runs keeps its results as long as it can: they are likely to be asked about.
  const older = Math.max(ordinals.at(-2) ?? 0, start.referencesThrough);
  const referenced = plan(start.throughOrdinal, older);
  if (toFullness(referenced.kept, room) <= lowMark) return toPlan(context, referenced, room);
  const spare = mode === 'summarize' ? summaryShare : 0;
  const through = Math.max(findThrough(referenced.kept, { room, spare, ordinals }), start.throughOrdinal);
  const candidates = [plan(through, older), plan(through, last), plan(last, last)];
  const fitting = candidates.find(({ kept }) => toFullness(kept, room) <= 1) ?? plan(last, last);
  const isShorter =
    fitting.throughOrdinal > start.throughOrdinal || fitting.referencesThrough > start.referencesThrough;
  return isShorter ? toPlan(context, fitting, room) : null;
}

interface Candidate extends Pick<CompactionPlan, 'throughOrdinal' | 'referencesThrough'> {
  kept: ContextMessage[];
}

function toPlan(
  context: readonly ContextMessage[],
  candidate: Candidate,
  room: ContextBudget,
): CompactionPlan {
  const { kept, ...ordinals } = candidate;
  return {
    ...ordinals,
    tokensBefore: estimateTokens(context, room),
    tokensAfter: estimateTokens(kept, room),
    references: countReferences(kept) - countReferences(leaveOut(context, ordinals.throughOrdinal)),
  };
}

/** Returns a context without the turns up to one. The summary of those before stays. */
export function leaveOut(context: readonly ContextMessage[], throughOrdinal: number): ContextMessage[] {
  return context.filter(({ role, turnOrdinal }) => role === 'summary' || turnOrdinal > throughOrdinal);
}

/** Returns a context as it is from a compaction on, with its summary in place of the one before. */
export function withStart(context: readonly ContextMessage[], start: ContextStart): ContextMessage[] {
  const kept = leaveOut(context, start.throughOrdinal).filter(({ role }) => role !== 'summary');
  return [...toSummaryMessage(start), ...withReferences(kept, start.referencesThrough)];
}

/** The ordinals of the turns before the one that runs, in their order. */
function listOldTurns(context: readonly ContextMessage[]): number[] {
  const running = context.at(-1)?.turnOrdinal;
  const old = context.filter(({ role, turnOrdinal }) => role !== 'summary' && turnOrdinal !== running);
  return [...new Set(old.map(({ turnOrdinal }) => turnOrdinal))];
}

interface Turns {
  room: ContextBudget;
  /** The share of the budget that is kept free for a new summary; 0 when the former one stays. */
  spare: number;
  ordinals: number[];
}

/** Finds the last turn to leave out so that the rest stays below the low mark; 0 for none. The newest old turn always stays. */
function findThrough(context: readonly ContextMessage[], { room, spare, ordinals }: Turns): number {
  const turns = Map.groupBy(context, ({ role, turnOrdinal }) => (role === 'summary' ? 0 : turnOrdinal));
  const summary = spare === 0 ? (turns.get(0) ?? []) : [];
  const kept = [...summary, ...(turns.get(context.at(-1)?.turnOrdinal ?? 0) ?? [])];
  let fullness = toFullness(kept, room) + spare;
  const newestFirst = ordinals.toReversed();
  return (
    newestFirst.find((ordinal, index) => {
      fullness += toFullness(turns.get(ordinal) ?? [], room);
      return index > 0 && fullness > lowMark;
    }) ?? 0
  );
}

function countReferences(messages: readonly ContextMessage[]): number {
  return messages.flatMap(({ toolCalls }) => toolCalls ?? []).filter(({ isReferenced }) => isReferenced)
    .length;
}
