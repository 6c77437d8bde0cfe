export type {
  ReplayReport,
  ReportCase,
  ReportEstimate,
  ReportMetric,
} from '../../../src/domain/replay-report.ts';
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
} from '../../../src/domain/replay-words.ts';
export { pExplanation, toLeftOutLine, toPlainSummary } from '../../../src/domain/replay-verdict-words.ts';
