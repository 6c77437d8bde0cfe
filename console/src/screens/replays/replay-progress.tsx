import type { ReactNode } from 'react';
import type { Replay } from '../../api/types.ts';
import { Bar } from '../../ui/bar.tsx';
import { formatCompact, formatCount, formatCredits } from '../../ui/format.ts';
import { Section } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './replays.module.css';
import { toCandidateText } from './words.ts';

interface ReplayMetaProps {
  replay: Replay;
  /** When it was started. @default as long ago as it is */
  started?: ReactNode;
}

/** The state of a replay, and what it has cost. */
export function ReplayMeta({ replay, started = <Time at={replay.createdAt} /> }: ReplayMetaProps) {
  const { status, cases, spent, startedBy, input, stuck } = replay;
  return (
    <>
      <Status status={stuck ? 'stuck' : status} />
      <span>Candidate: {toCandidateText(input.candidate)}</span>
      {cases !== null && <span>{cases === 1 ? '1 case' : `${formatCount(cases)} cases`}</span>}
      <span>{formatCompact(spent.tokens)} tokens</span>
      <span>{formatCredits(spent.costUsd * 1_000_000)}</span>
      <span>{started}</span>
      {typeof startedBy?.actingFor === 'string' && <span>{startedBy.actingFor}</span>}
    </>
  );
}

/** How far a replay is, and what has stopped it; nothing for one that completed. */
export function ReplayProgress({ replay }: { replay: Replay }) {
  const { runs, status, error, stuck } = replay;
  const isOpen = status === 'running' || status === 'paused';
  if (status === 'completed') return null;
  return (
    <Section title={isOpen ? 'Progress' : `The replay was ${words[status] ?? status}`}>
      {runs.total !== null && (
        <Bar label="Runs" value={runs.done} most={runs.total} text={toRunsText(runs.done, runs.total)} />
      )}
      {runs.total === null && isOpen && <p className={styles.quiet}>The turns that fit are selected.</p>}
      {runs.failed > 0 && <p>{formatCount(runs.failed)} runs could not be made. They count as not passed.</p>}
      {stuck && <p className={styles.error}>{stuck.cause}</p>}
      {error && <p className={styles.error}>{error.message}</p>}
    </Section>
  );
}

const words: Record<string, string> = {
  stopped: 'stopped at its limit',
  cancelled: 'cancelled',
  failed: 'ended by an error',
};

const toRunsText = (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} runs`;
