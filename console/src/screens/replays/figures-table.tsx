import {
  pExplanation,
  toDifferenceText,
  toLeftOutLine,
  toMetricLabel,
  toPText,
  toValueText,
  type ReplayReport,
  type ReportMetric,
} from '../../api/replay-report.ts';
import type { Column } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import type { Tone } from '../../ui/tone.ts';
import styles from './figures-table.module.css';
import { metricHints, toCertainty } from './words.ts';

const verdictWords: Record<ReportMetric['verdict'], { tone: Tone; text: string }> = {
  worse: { tone: 'bad', text: 'worse' },
  better: { tone: 'good', text: 'better' },
  inconclusive: { tone: 'wait', text: 'not decided' },
  'no evidence': { tone: 'off', text: 'not worse' },
};

/** The figures that were compared, each with how sure its difference is. */
export function FiguresTable({ report }: { report: ReplayReport }) {
  const { judgement, replay } = report;
  const leftOut = toLeftOutLine(report);
  const before = replay.input.baseline ? 'Recorded version' : 'Recorded';
  return (
    <>
      <Table
        label="Figures"
        items={judgement.metrics}
        toKey={({ name }) => name}
        columns={toColumns(before)}
        empty="No run could be compared."
      />
      <div className={styles.notes}>
        {judgement.metrics.length > 0 && <p>{pExplanation}</p>}
        {leftOut !== null && <p>{leftOut}</p>}
      </div>
    </>
  );
}

function toColumns(before: string): Column<ReportMetric>[] {
  const number = { width: '', isNumber: true, isWide: true };
  return [
    {
      name: 'Figure',
      width: '',
      cell: ({ name }) => (
        <>
          {toMetricLabel(name)}
          {metricHints[name] !== undefined && <span className={styles.hint}>{metricHints[name]}</span>}
        </>
      ),
    },
    {
      name: 'Verdict',
      width: '',
      cell: ({ verdict }) => <Status status={verdict} {...verdictWords[verdict]} />,
    },
    { name: before, ...number, cell: ({ name, first }) => toValueText(name, first.value) },
    {
      name: 'Candidate',
      ...number,
      cell: ({ name, second }) => toValueText(name, second.value),
    },
    {
      name: 'Change',
      ...number,
      cell: ({ name, difference }) => (
        <span className={styles.change}>{toDifferenceText(name, difference.value)}</span>
      ),
    },
    { name: 'Interval', width: '', isWide: true, cell: (metric) => <Interval metric={metric} /> },
    {
      name: 'In words',
      width: '',
      cell: (metric) => <span className={styles.words}>{toCertainty(metric)}</span>,
    },
    { name: 'p\u00A0(Holm)', ...number, cell: ({ adjustedPValue }) => toPText(adjustedPValue) },
  ];
}

/** The interval of a difference as a line around no difference, on a scale of its own. The words beside it say the same. */
function Interval({ metric }: { metric: ReportMetric }) {
  const { value, low, high } = metric.difference;
  const reach = Math.max(Math.abs(value), Math.abs(low ?? 0), Math.abs(high ?? 0), metric.margin) || 1;
  const at = (place: number) => 50 + (place / reach) * 46;
  const { tone } = verdictWords[metric.verdict];
  return (
    <svg className={styles.interval} viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <line className={styles.zero} x1="50" x2="50" y1="0" y2="16" />
      {low !== null && high !== null && (
        <line className={styles.line} data-tone={tone} x1={at(low)} x2={at(high)} y1="8" y2="8" />
      )}
      <line className={styles.point} x1={at(value)} x2={at(value)} y1="3" y2="13" />
    </svg>
  );
}
