import type { ReportCase } from '../../../domain/replay-report.ts';

/** Whether the candidate has not passed a case with each of its repeats. */
export function isFailed({ lanes: { candidate } }: Pick<ReportCase, 'lanes'>): boolean {
  return !candidate || candidate.repeats.passed < candidate.repeats.runs;
}
