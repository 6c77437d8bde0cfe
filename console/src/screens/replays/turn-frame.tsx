import type { ReactNode } from 'react';
import type { ReplayCaseDetails, ReportCase } from '../../api/types.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Section } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './turn-frame.module.css';

type Run = ReplayCaseDetails['runs'][number];

/** A turn of a run, step by step. */
export type Turn = NonNullable<Run['run']>['turns'][number];

/** The first difference of a run. */
export type Difference = NonNullable<NonNullable<Run['comparison']>['firstDifference']>;

interface TurnFrameProps {
  title: string;
  message: string;
  /** Which run stands beside the recorded one. */
  foundName: string;
  children: ReactNode;
}

/** A turn: its message, and two runs beside each other. */
export function TurnFrame({ title, message, foundName, children }: TurnFrameProps) {
  return (
    <Section title={title}>
      <div className={styles.message}>
        <Markdown text={message} />
      </div>
      <div className={styles.pair} data-head="true">
        <h3>Recorded</h3>
        <h3>{foundName}</h3>
      </div>
      {children}
    </Section>
  );
}

interface DifferenceLineProps {
  difference: Difference;
  /** Where it is, where nothing around it says so, such as `step 2`. */
  place?: string;
}

/** The first difference, in words. */
export function DifferenceLine({ difference, place }: DifferenceLineProps) {
  const { kind, expected, found } = difference;
  return (
    <p className={styles.difference}>
      <strong>
        First difference{place !== undefined && `, ${place}`}: {toWords(kind)}.
      </strong>{' '}
      {expected || 'Nothing'} → {found || 'nothing'}
    </p>
  );
}

/** How a turn of a run ended. */
export type TurnEnd = Pick<Turn, 'outcome' | 'answer' | 'error' | 'unasked'>;

interface AnswerPairProps {
  recorded: TurnEnd | undefined;
  found: TurnEnd | undefined;
  /** Both answers word by word, when they differ. */
  answerDiff: ReportCase['answerDiff'];
}

/** The answers of two runs beside each other. */
export function AnswerPair({ recorded, found, answerDiff }: AnswerPairProps) {
  return (
    <div className={styles.pair}>
      <Ending turn={recorded} answerDiff={answerDiff} side={-1} />
      <Ending turn={found} answerDiff={answerDiff} side={1} />
    </div>
  );
}

interface EndingProps {
  turn: TurnEnd | undefined;
  answerDiff: ReportCase['answerDiff'];
  /** The side of the difference: -1 for the recorded answer, 1 for the other one. */
  side: -1 | 1;
}

function Ending({ turn, answerDiff, side }: EndingProps) {
  if (!turn) return <div className={styles.absent}>Not run</div>;
  const { outcome, answer, error, unasked } = turn;
  return (
    <div className={styles.step}>
      <h4 className={styles.name}>Answer</h4>
      {outcome !== 'completed' && <Status status={outcome} />}
      {error && <p className={styles.error}>{error.message}</p>}
      {answerDiff ? <Marked parts={answerDiff} side={side} /> : answer !== '' && <Markdown text={answer} />}
      {unasked.length > 0 && (
        <p className={styles.quiet}>Never asked for: {unasked.map(({ name }) => name).join(', ')}.</p>
      )}
    </div>
  );
}

interface MarkedProps {
  parts: NonNullable<ReportCase['answerDiff']>;
  side: -1 | 1;
}

/** One side of a difference: what both have, and what only this side has, marked. */
function Marked({ parts, side }: MarkedProps) {
  const Mark = side === 1 ? 'ins' : 'del';
  return (
    <p className={styles.marked}>
      {parts.map(([kind, text], index) =>
        kind === 0 ? text : kind === side ? <Mark key={index}>{text}</Mark> : null,
      )}
    </p>
  );
}
