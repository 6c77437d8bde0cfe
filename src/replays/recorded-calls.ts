import canonicalize from 'canonicalize';
import type { JsonValue } from '../domain/json.ts';
import type { ContextToolCall } from '../domain/model-context.ts';
import { toSimilarity } from './similarity.ts';

/** A recorded tool call, with the name of what it called: `server:tool` for a call through a gateway. */
export interface RecordedCall extends ContextToolCall {
  target: string;
}

/** A recorded call whose answer a replayed call gets. */
export interface RecordedMatch {
  call: RecordedCall;
  match: 'exact' | 'nearest';
}

/** The recorded calls of a case, each of which answers one replayed call. */
export interface RecordedCalls {
  /** Takes the answer for a call: of the next call with the same arguments, else of the nearest one; null for none. */
  take: (target: string, input: JsonValue) => RecordedMatch | null;
  /** Takes the answer of the next call with the same arguments; null for none. */
  takeExact: (target: string, input: JsonValue) => RecordedMatch | null;
  /** The calls that were never asked for, among those up to now. */
  listUnasked: () => RecordedCall[];
}

/** Calls that have no answer of the tool: a rule blocked them, or they never began. */
const unanswered = new Set<ContextToolCall['status']>(['requested', 'started', 'blocked', 'skipped']);

/**
 * Matches calls with recorded ones by the tool and the canonical JSON (RFC 8785) of the arguments, in order of occurrence.
 * A call with other arguments gets the answer of the most similar call of the tool, one that was not used before if there
 * is one.
 */
export function createRecordedCalls(calls: RecordedCall[]): RecordedCalls {
  const asked = new Set<RecordedCall>();
  const byTarget = Map.groupBy(calls, ({ target }) => target);
  const texts = new Map(calls.map((call) => [call, toCanonical(call.arguments)]));

  const takeExact: RecordedCalls['takeExact'] = (target, input) => {
    const text = toCanonical(input);
    const recorded = byTarget.get(target)?.find((call) => !asked.has(call) && texts.get(call) === text);
    if (recorded) asked.add(recorded);
    return recorded && !unanswered.has(recorded.status) ? { call: recorded, match: 'exact' } : null;
  };

  return {
    takeExact,
    take: (target, input) => {
      const exact = takeExact(target, input);
      if (exact) return exact;
      const answered = byTarget.get(target)?.filter(({ status }) => !unanswered.has(status)) ?? [];
      const nearest =
        findNearest(
          answered.filter((call) => !asked.has(call)),
          input,
        ) ?? findNearest(answered, input);
      if (!nearest) return null;
      asked.add(nearest);
      return { call: nearest, match: 'nearest' };
    },
    listUnasked: () => calls.filter((call) => !asked.has(call)),
  };
}

function findNearest(calls: RecordedCall[], input: JsonValue): RecordedCall | null {
  let nearest: RecordedCall | null = null;
  let best = -1;
  for (const call of calls) {
    const similarity = toSimilarity(call.arguments, input);
    if (similarity > best) [nearest, best] = [call, similarity];
  }
  return nearest;
}

/** Returns a value as canonical JSON (RFC 8785), in which equal values are equal texts. */
export function toCanonical(value: JsonValue): string {
  return canonicalize(value) ?? '';
}
