import { hasCode } from '../../api/client.ts';
import type { Decider } from '../../api/types.ts';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './actions.module.css';
import { toDeciderName } from './decider-name.ts';

/** The details of the error of a decision that came too late. */
interface EarlierDecision {
  status: string;
  decidedBy: Decider | null;
  /** When it was decided, or expired. */
  decidedAt: string;
}

/** Why a decision was refused. One that came too late names who has decided, and when. */
export function DecisionProblem({ error }: { error: unknown }) {
  if (!hasCode(error, 'ACTION_DECIDED')) return <Problem error={error} />;
  const { status, decidedBy, decidedAt } = (error as { details: unknown }).details as EarlierDecision;
  return (
    <p role="alert" className={styles.late}>
      Your decision came too late: it was {toWords(status)}
      {decidedBy && ` by ${toDeciderName(decidedBy)}`} <Time at={decidedAt} />.
    </p>
  );
}
