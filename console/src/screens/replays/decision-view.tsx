import { Link } from '@tanstack/react-router';
import {
  toCountText,
  toIncompleteLine,
  toOutsideLine,
  toPlainSummary,
  type ReplayReport,
} from '../../api/replay-report.ts';
import { Section } from '../../ui/section.tsx';
import { CaseTable } from './case-table.tsx';
import styles from './decision-view.module.css';
import { FiguresTable } from './figures-table.tsx';
import { JudgeSection } from './judge-section.tsx';
import { LaneTable } from './lane-table.tsx';
import { decisions } from './words.ts';

/** The cases that the first view shows: those that changed most. */
const mostCases = 5;

/** What a replay has found: what to decide on top, how sure it is, and the cases that changed most. */
export function DecisionView({ report }: { report: ReplayReport }) {
  const changed = report.cases.filter((one) => one.changed);
  return (
    <>
      <Decision report={report} />
      <Section title="How sure this is">
        <FiguresTable report={report} />
      </Section>
      <Section
        title="Cases that changed most"
        actions={
          <Link to="." search={(before: object) => ({ ...before, view: 'cases' })}>
            All {toCountText(report.summary.cases, 'case')}
          </Link>
        }
      >
        <CaseTable replayId={report.replay.id} cases={changed.slice(0, mostCases)} />
      </Section>
      <JudgeSection report={report} />
      <Section title="All runs">
        <LaneTable report={report} />
        <p className={styles.quiet}>{toOutsideLine(report)}.</p>
      </Section>
    </>
  );
}

const tones = { worse: 'bad', better: 'good', inconclusive: 'wait', 'no evidence': 'good' };

function Decision({ report }: { report: ReplayReport }) {
  const { judgement, summary, partial, replay } = report;
  const { regressed } = summary.changes;
  const isEmpty = summary.cases === 0;
  const title = isEmpty ? 'No recorded turn fits: nothing was compared' : decisions[judgement.verdict];
  const incomplete = toIncompleteLine(replay);
  return (
    <section className={styles.decision} data-tone={tones[judgement.verdict]} aria-label="Decision">
      <h2 className={styles.title}>
        {partial && 'So far: '}
        {title}
      </h2>
      {incomplete !== null && !partial && <p className={styles.incomplete}>{incomplete}</p>}
      {!isEmpty && <p className={styles.text}>{toPlainSummary(report)}</p>}
      {regressed > 0 && (
        <p>
          <Link to="." search={(before: object) => ({ ...before, view: 'cases', show: 'worse' })}>
            {regressed === 1
              ? 'Look at the case that is wrong now'
              : `Look at the ${regressed} cases that are wrong now`}
          </Link>
        </p>
      )}
    </section>
  );
}
