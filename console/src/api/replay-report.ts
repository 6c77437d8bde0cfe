import type { ReplayReport } from '../../../src/modules/replays/report/replay-report.ts';
import { holdfast } from './client.ts';

export type {
  ReplayReport,
  ReportCase,
  ReportEstimate,
  ReportMetric,
} from '../../../src/modules/replays/report/replay-report.ts';
export {
  toCountText,
  toDifferenceLine,
  toDifferenceText,
  toIncompleteLine,
  toKindText,
  toMetricLabel,
  toOutsideLine,
  toPText,
  toSizeText,
  toValueText,
} from '../../../src/modules/replays/replay-words.ts';
export {
  pExplanation,
  toLeftOutLine,
  toPlainSummary,
} from '../../../src/modules/replays/report/replay-verdict-words.ts';

/** Reads the report of a replay: the figures, and the cases that changed most. */
export async function readReplayReport(replayId: string, signal: AbortSignal): Promise<ReplayReport> {
  const text = await holdfast.replays.report(replayId, { format: 'json' }, { signal });
  return JSON.parse(await text.text()) as ReplayReport;
}
