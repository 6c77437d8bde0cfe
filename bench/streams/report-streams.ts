import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { StreamsRow } from './measure-streams.ts';

/** The most by which idle streams may lengthen the median of a request. */
const mostRatio = 1.3;

/** The figures as a table for people, and whether each row is within the limit. */
export function toStreamsReport(rows: StreamsRow[], streams: number): { text: string; passed: boolean } {
  const figures = rows.map((row) => ({ ...row, ratio: median(row.with) / median(row.without) }));
  const lines = figures.map(({ name, without, with: loaded, ratio }) => [
    name,
    ...[median(without), median(loaded)].map((ms) => ms.toFixed(2)),
    ratio.toFixed(2),
    ...[quantile(without, 0.95), quantile(loaded, 0.95)].map((ms) => ms.toFixed(2)),
  ]);
  const passed = figures.every(({ ratio }) => ratio <= mostRatio);
  const header = ['milliseconds', 'p50 without', `p50 with ${streams}`, 'ratio', 'p95 without', 'p95 with'];
  const verdict = `${passed ? 'PASS' : 'FAIL'}: ${streams} idle streams leave each p50 within ${mostRatio}x`;
  return { text: [toTable(header, lines), verdict].join('\n'), passed };
}
