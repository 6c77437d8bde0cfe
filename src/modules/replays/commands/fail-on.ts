import { invalid } from '../../../clients/cli/option-values.ts';
import type { ReplayReport } from '../../../domain/replay-report.ts';
import { toCountText } from '../../../domain/replay-words.ts';

type Judged = Pick<ReplayReport, 'judgement' | 'summary'>;

/** Returns why a report fails under a condition; null when it does not. */
type FindReason = (report: Judged) => string | null;

const conditions: Record<string, FindReason> = {
  worse: ({ judgement }) => (judgement.verdict === 'worse' ? 'the candidate is worse' : null),
  inconclusive: ({ judgement }) =>
    judgement.verdict === 'inconclusive' ? 'the replay is too small for a verdict' : null,
  regressed: ({ summary: { changes } }) =>
    changes.regressed + changes.brokenCalls > 0
      ? `${toCountText(changes.regressed, 'case')} and ${toCountText(changes.brokenCalls, 'tool call')} were right and are not any more`
      : null,
};

/**
 * Parses the conditions of `--fail-on`.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function parseFailOn(parts: readonly string[]): string[] {
  return parts.map((part) => {
    const name = part.trim();
    if (Object.hasOwn(conditions, name)) return name;
    const known = Object.keys(conditions).join(', ');
    throw invalid(`--fail-on takes ${known}; found ${JSON.stringify(part)}`);
  });
}

/** Returns a sentence for each of these conditions under which a report fails. */
export function findFailures(report: Judged, names: readonly string[]): string[] {
  return names.flatMap((name) => conditions[name]?.(report) ?? []);
}
