import type { ReportCase } from '../../api/types.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Status } from '../../ui/status.tsx';
import { AnswerPair, DifferenceLine, TurnFrame, type Difference, type Turn } from './turn-frame.tsx';
import styles from './turn-frame.module.css';
import { toAnswerText } from './words.ts';

type Step = Turn['steps'][number];
type Call = Step['calls'][number];

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
    <TurnFrame title={title} message={recorded?.message ?? found?.message ?? ''} foundName={foundName}>
      {Array.from({ length: steps }, (_, index) => (
        <StepPair
          key={index}
          recorded={recorded?.steps[index]}
          found={found?.steps[index]}
          difference={difference?.iteration === index + 1 ? difference : null}
        />
      ))}
      {difference && difference.iteration > steps && <DifferenceLine difference={difference} />}
      <AnswerPair recorded={recorded} found={found} answerDiff={answerDiff} />
    </TurnFrame>
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
