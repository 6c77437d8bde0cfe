import type { ReportCase } from '../api/replay-report.ts';
import { AnswerPair, DifferenceLine, TurnFrame, type TurnEnd } from '../screens/replays/turn-frame.tsx';
import { laneNames } from '../screens/replays/words.ts';
import { Section } from '../ui/section.tsx';
import styles from './report.module.css';

type Run = NonNullable<ReportCase['lanes']['candidate']>;

/** The message of a case, its first difference, and the recorded answer beside the candidate's. */
export function CaseAnswers({ one }: { one: ReportCase }) {
  const { original, candidate } = one.lanes;
  const difference = candidate?.firstDifference;
  const isOneOfSeveral = one.turnIds.length > 1;
  return (
    <>
      {candidate?.error && (
        <Section title="It could not be run">
          <p className={styles.error}>{candidate.error.message}</p>
        </Section>
      )}
      <TurnFrame
        title={isOneOfSeveral ? `Turn ${one.turn}` : 'What happened'}
        message={one.message}
        foundName={laneNames['candidate'] ?? ''}
      >
        {difference && <DifferenceLine difference={difference} place={toPlace(difference, isOneOfSeveral)} />}
        <AnswerPair
          recorded={toEnd(original, '')}
          found={candidate?.error ? undefined : toEnd(candidate, original?.answer ?? '')}
          answerDiff={candidate?.error ? null : one.answerDiff}
        />
      </TurnFrame>
    </>
  );
}

function toPlace({ turn, iteration }: NonNullable<Run['firstDifference']>, namesTurn: boolean): string {
  return namesTurn ? `turn ${turn}, step ${iteration}` : `step ${iteration}`;
}

/** An answer that is that of the recorded run is not in the report again. */
function toEnd(run: Run | undefined, recorded: string): TurnEnd | undefined {
  if (!run?.outcome) return undefined;
  return { outcome: run.outcome, answer: run.answer ?? recorded, error: null, unasked: [] };
}
