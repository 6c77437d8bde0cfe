import { Time } from '../ui/time.tsx';
import { toAskedAction, toDecidedAction, toRequestText } from './actions/asked-action.ts';
import { Decided } from './actions/decided.tsx';
import { DecisionForm } from './actions/decision-form.tsx';
import { DecisionProblem } from './actions/decision-problem.tsx';
import { useDecide } from './actions/use-decide.ts';
import type { ActionLog } from './conversation-log.ts';
import styles from './decision.module.css';

/** What a turn waits for, with what a person may do about it; or who has decided. */
export function Decision({ action }: { action: ActionLog }) {
  const deciding = useDecide(action.id);
  if (action.status !== 'pending')
    return (
      <>
        <DecisionProblem error={deciding.error} />
        <Decided action={toDecidedAction(action)} />
      </>
    );
  const asked = toAskedAction(action);
  return (
    <div className={styles.decision} role="group" aria-label={`Decision about ${asked.tool}`}>
      <p className={styles.because}>
        {toRequestText(asked)} It expires <Time at={action.requested.expiresAt} />.
      </p>
      <DecisionForm action={asked} deciding={deciding} />
      <DecisionProblem error={deciding.error} />
    </div>
  );
}
