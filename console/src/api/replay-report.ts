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
