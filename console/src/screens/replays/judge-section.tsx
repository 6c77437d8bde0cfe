import { toCountText, type ReplayReport, type ReportEstimate } from '../../api/replay-report.ts';
import { formatCount } from '../../ui/format.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './replays.module.css';

const verdicts = ['better', 'worse', 'tie'] as const;

/** What the judge said about the candidate's answers, and how far it can be trusted; nothing without a judge. */
export function JudgeSection({ report: { summary, replay, lanes } }: { report: ReplayReport }) {
  const { judge } = summary;
  if (!judge) return null;
  const { model = '', rubric = '' } = replay.input.judge ?? {};
  const judged = judge.better + judge.worse + judge.tie;
  const missing = (lanes.candidate?.runs ?? 0) - judged;
  return (
    <Section title={`The judge, ${model}`}>
      <Table
        label="Verdicts of the judge"
        items={verdicts}
        toKey={(verdict) => verdict}
        columns={[
          { name: "Candidate's answer", width: '', cell: (verdict) => verdict },
          { name: 'Runs', width: '', isNumber: true, cell: (verdict) => formatCount(judge[verdict]) },
          { name: 'Share', width: '', cell: (verdict) => toShare(judge.shares?.[verdict]) },
        ]}
      />
      <p>
        It contradicted itself in {judge.flipped} of {judged} when the answers changed places.{' '}
        {judge.labelled === 0
          ? 'It was not compared with verdicts of people.'
          : `It agreed with people in ${judge.agreed} of ${judge.labelled}.`}
        {missing > 0 && ` ${toCountText(missing, 'run')} without a verdict.`}
      </p>
      <details className={styles.more}>
        <summary>Rubric</summary>
        <div>
          <Markdown text={rubric} />
        </div>
      </details>
    </Section>
  );
}

function toShare(share: ReportEstimate | undefined): string {
  if (!share) return '';
  const toPercent = (rate: number) => `${(100 * rate).toFixed(1)} %`;
  const { value, low, high } = share;
  if (low === null || high === null) return toPercent(value);
  return `${toPercent(value)}, between ${toPercent(low)} and ${toPercent(high)}`;
}
