import type { ReplayCaseDetails, ReportCase } from '../../api/types.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Section } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './case-turn.module.css';
import { toAnswerText } from './words.ts';

type Run = ReplayCaseDetails['runs'][number];
type Turn = NonNullable<Run['run']>['turns'][number];
type Step = Turn['steps'][number];
type Call = Step['calls'][number];
type Difference = NonNullable<NonNullable<Run['comparison']>['firstDifference']>;

interface CaseTurnProps {
  title: string;
  recorded: Turn | undefined;
  found: Turn | undefined;
  /** Which run stands beside the recorded one. */
  foundName: string;
  /** The first difference, when it is in this turn. */
  difference: Difference | null;
  /** Both answers word by word, when they differ. */
  answerDiff: ReportCase['answerDiff'];
}

/** A turn as it was recorded, beside the same turn of a replay, step by step. */
export function CaseTurn({ title, recorded, found, foundName, difference, answerDiff }: CaseTurnProps) {
  const steps = Math.max(recorded?.steps.length ?? 0, found?.steps.length ?? 0);
  return (
    <Section title={title}>
      <div className={styles.message}>
        <Markdown text={recorded?.message ?? found?.message ?? ''} />
      </div>
      <div className={styles.pair} data-head="true">
        <h3>Recorded</h3>
        <h3>{foundName}</h3>
      </div>
      {Array.from({ length: steps }, (_, index) => (
        <StepPair
          key={index}
          recorded={recorded?.steps[index]}
          found={found?.steps[index]}
          difference={difference?.iteration === index + 1 ? difference : null}
        />
      ))}
      {difference && difference.iteration > steps && <DifferenceLine difference={difference} />}
      <div className={styles.pair}>
        <Ending turn={recorded} answerDiff={answerDiff} side={-1} />
        <Ending turn={found} answerDiff={answerDiff} side={1} />
      </div>
    </Section>
  );
}

interface StepPairProps {
  recorded: Step | undefined;
  found: Step | undefined;
  difference: Difference | null;
}

function StepPair({ recorded, found, difference }: StepPairProps) {
  return (
    <>
      {difference && <DifferenceLine difference={difference} />}
      <div className={styles.pair} data-differs={difference !== null}>
        <StepView step={recorded} />
        <StepView step={found} />
      </div>
    </>
  );
}

function DifferenceLine({ difference }: { difference: Difference }) {
  return (
    <p className={styles.difference}>
      <strong>First difference: {toWords(difference.kind)}.</strong> {difference.expected || 'Nothing'} →{' '}
      {difference.found || 'nothing'}
    </p>
  );
}

function StepView({ step }: { step: Step | undefined }) {
  if (!step) return <div className={styles.absent}>No such step</div>;
  return (
    <div className={styles.step}>
      <h4 className={styles.name}>Step {step.iteration}</h4>
      {step.calls.length > 0 && step.text !== '' && <Markdown text={step.text} />}
      {step.calls.length === 0 && <p className={styles.quiet}>answers</p>}
      {step.calls.map((call, index) => (
        <CallView key={index} call={call} />
      ))}
    </div>
  );
}

function CallView({ call }: { call: Call }) {
  const { name, status, answeredBy, rule, asks, result } = call;
  return (
    <div className={styles.call}>
      <p className={styles.line}>
        <code>{name}</code>
        <Status status={status} />
      </p>
      <JsonView value={call.arguments} open={1} />
      {answeredBy !== null && (
        <p className={styles.quiet}>
          Answered by {toAnswerText(answeredBy)}
          {rule === null ? '' : ` (${rule})`}.
        </p>
      )}
      {asks && asks.length > 0 && (
        <p className={styles.quiet}>A person would be asked: {asks.join(' and ')}.</p>
      )}
      {result !== '' && (
        <details className={styles.result}>
          <summary>Result</summary>
          <pre>{result}</pre>
        </details>
      )}
    </div>
  );
}

interface EndingProps {
  turn: Turn | undefined;
  answerDiff: ReportCase['answerDiff'];
  /** What of the difference this side has: -1 the recorded answer, 1 the other one. */
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
