import { recordingSchema, type Recording } from '../../domain/recording.ts';
import { findUnstorable } from '../../domain/storable.ts';

/** A line that can be imported, or the reason why not. */
export type ParsedLine = { recording: Recording } | { problem: string };

/** Reads one line of a file. */
export function parseRecording(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: `expected JSON: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300),
    };
  }
  const unstorable = findUnstorable(value, 'line');
  if (unstorable) return { problem: `${unstorable.field}: ${unstorable.message}`.slice(0, 300) };
  const parsed = recordingSchema.safeParse(value);
  if (parsed.success) return checkNumbers(parsed.data);
  const [issue] = parsed.error.issues;
  return { problem: `${issue?.path.join('.') || 'line'}: ${issue?.message ?? 'invalid'}`.slice(0, 300) };
}

/** The database has one row for each iteration and each index. */
function checkNumbers(recording: Recording): ParsedLine {
  const { steps } = recording;
  const isGrowing = steps.every(({ iteration }, at) => iteration > (steps[at - 1]?.iteration ?? 0));
  if (!isGrowing) return { problem: 'steps: expected iterations that grow' };
  const isUnique = steps.every(
    ({ toolCalls }) => new Set(toolCalls.map(({ index }) => index)).size === toolCalls.length,
  );
  if (!isUnique) return { problem: 'steps: expected each index of a tool call once' };
  const ids = steps.flatMap(({ toolCalls }) => toolCalls.flatMap(({ id }) => id ?? []));
  if (new Set(ids).size < ids.length) return { problem: 'steps: expected each id of a tool call once' };
  const problem = findWrongCompaction(recording);
  return problem === null ? { recording } : { problem };
}

/** Compactions stand in the order of the model calls from which on they hold, and concern only turns before their own. */
function findWrongCompaction({ turn, compactions }: Recording): string | null {
  let last = 1;
  for (const [index, compaction] of compactions.entries()) {
    const { iteration, fromOrdinal, throughOrdinal, referencesThrough, summaryId, summary } = compaction;
    const refuse = (field: string, expected: string) => `compactions.${index}.${field}: expected ${expected}`;
    if (iteration < last) return refuse('iteration', `${last} or more, found ${iteration}`);
    last = iteration;
    const ordinals = { fromOrdinal, throughOrdinal, referencesThrough };
    const later = Object.entries(ordinals).find(([, ordinal]) => ordinal >= turn.ordinal);
    if (later) return refuse(later[0], `a turn before turn ${turn.ordinal}, found ${later[1]}`);
    if (summary && summaryId === null) return refuse('summaryId', 'an id, since it made a summary');
  }
  const ids = compactions.flatMap(({ summary, summaryId }) => (summary ? [summaryId] : []));
  if (new Set(ids).size < ids.length) return 'compactions: expected each id of a new summary once';
  return null;
}
