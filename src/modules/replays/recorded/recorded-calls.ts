import canonicalize from 'canonicalize';
import type { JsonValue } from '../../../domain/json.ts';
import type { ContextToolCall } from '../../../domain/model-context.ts';
import { toSimilarity } from '../similarity.ts';

/** A recorded tool call, with the name of what it called: `server:tool` for a call through a gateway. */
export interface RecordedCall extends ContextToolCall {
  target: string;
}

/** A recorded call whose answer a replayed call gets. */
export interface RecordedMatch {
  call: RecordedCall;
  match: 'exact' | 'nearest';
}

/** A call that asks for a recorded answer. */
interface AskedCall {
  target: string;
  input: JsonValue;
  /** Whether only a call with the same arguments can answer. @default false */
  onlyExact?: boolean;
}

/** The recorded calls of a case, whose answers replayed calls get. */
export interface RecordedCalls {
  /** Takes answers for calls that a model made at once, in their order; null for a call that none can answer. */
  take: (asked: AskedCall[]) => (RecordedMatch | null)[];
  /** The recorded calls that no call up to now has asked for. */
  listUnasked: () => RecordedCall[];
}

/** Calls that have no answer of the tool: a rule blocked them, or they never began. */
const unanswered = new Set<ContextToolCall['status']>(['requested', 'started', 'blocked', 'skipped']);

/**
 * Matches calls with recorded ones by the tool and the canonical JSON (RFC 8785) of the arguments.
 *
 * Each recorded call answers one call with the same arguments, in order of occurrence. Of calls that are made at once, those
 * with the same arguments are matched first. A call with other arguments is shown a copy of the answer of the most similar
 * call, which stays there for a later call with the same arguments. The copy is taken from the first of these that there are:
 * recorded calls with the same arguments, of which there were fewer; calls that were neither asked for nor shown; calls that
 * were not asked for; all calls of the tool.
 */
export function createRecordedCalls(calls: RecordedCall[]): RecordedCalls {
  const asked = new Set<RecordedCall>();
  const shown = new Set<RecordedCall>();
  const byTarget = Map.groupBy(calls, ({ target }) => target);
  const texts = new Map(calls.map((call) => [call, toCanonical(call.arguments)]));

  const takeExact = ({ target, input }: AskedCall): RecordedMatch | null => {
    const text = toCanonical(input);
    const recorded = byTarget.get(target)?.find((call) => !asked.has(call) && texts.get(call) === text);
    if (recorded) asked.add(recorded);
    return recorded && !unanswered.has(recorded.status) ? { call: recorded, match: 'exact' } : null;
  };

  const showNearest = ({ target, input, onlyExact = false }: AskedCall): RecordedMatch | null => {
    const answered = byTarget.get(target)?.filter(({ status }) => !unanswered.has(status)) ?? [];
    if (onlyExact || answered.length === 0) return null;
    const text = toCanonical(input);
    const unasked = answered.filter((call) => !asked.has(call));
    const call =
      answered.findLast((one) => texts.get(one) === text) ??
      findNearest(
        unasked.filter((one) => !shown.has(one)),
        input,
      ) ??
      findNearest(unasked, input) ??
      findNearest(answered, input);
    if (!call) return null;
    shown.add(call);
    return { call, match: 'nearest' };
  };

  return {
    take: (all) => {
      const exact = all.map(takeExact);
      return exact.map((match, index) => match ?? showNearest(all[index] as AskedCall));
    },
    listUnasked: () => calls.filter((call) => !asked.has(call) && !shown.has(call)),
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
