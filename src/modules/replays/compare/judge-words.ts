import { judgeVerdicts } from '../../../domain/replay.ts';
import type { JudgeSummary, ReportHead } from '../../../domain/replay-report.ts';
import { toCountText } from '../../../domain/replay-words.ts';

/** A verdict of a judge with the number of its runs, and their share with its interval. */
interface VerdictRow {
  verdict: string;
  count: number;
  share: string;
  interval: string;
}

/** The verdicts of a judge in the order in which reports show them. */
function listVerdicts(judge: JudgeSummary): VerdictRow[] {
  return judgeVerdicts.map((verdict) => {
    const share = judge.shares?.[verdict];
    const { low = null, high = null } = share ?? {};
    return {
      ...{ verdict, count: judge[verdict], share: share ? toShareText(share.value) : 'unknown' },
      interval: low === null || high === null ? 'unknown' : `${toNumberText(low)} to ${toShareText(high)}`,
    };
  });
}

/** The verdicts of a judge in one sentence; null for a replay without a judge. */
export function toJudgeLine({ summary: { judge }, replay }: Pick<ReportHead, 'summary' | 'replay'>) {
  if (!judge) return null;
  const counts = listVerdicts(judge).map(({ verdict, count, share, interval }) =>
    count === 0 ? `${count} ${verdict}` : `${count} ${verdict} (${share}, 95 % interval ${interval})`,
  );
  return `The judge ${replay.input.judge?.model ?? ''} found the candidate: ${counts.join(', ')}`;
}

/** How far the verdicts of a judge can be trusted: how often it contradicted itself, and how often it agreed with people. */
export function toTrustLine(judge: JudgeSummary, runs: number): string {
  const judged = judge.better + judge.worse + judge.tie;
  const missing = runs - judged;
  const flips = `it contradicted itself in ${toPartText(judge.flipped, judged)} when the answers changed places`;
  const agreement =
    judge.labelled === 0
      ? 'no verdicts of people were given'
      : `it agreed with people in ${toPartText(judge.agreed, judge.labelled)}`;
  const rest = missing > 0 ? `; ${toCountText(missing, 'run')} without a verdict` : '';
  return `${flips}; ${agreement}${rest}`;
}

function toPartText(part: number, all: number): string {
  return all === 0 ? '0 of 0' : `${part} of ${all} (${toShareText(part / all)})`;
}

function toNumberText(rate: number): string {
  return (100 * rate).toFixed(1);
}

function toShareText(rate: number): string {
  return `${toNumberText(rate)} %`;
}
