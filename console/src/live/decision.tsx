import { lazy, Suspense } from 'react';
import { Time } from '../ui/time.tsx';
import { toAskedAction, toDecidedAction, toRequestText } from './actions/asked-action.ts';
import { DecisionProblem } from './actions/decision-problem.tsx';
import { useDecide } from './actions/use-decide.ts';
import type { ActionLog } from './conversation-log.ts';
import styles from './decision.module.css';

// Most turns ask nobody: what people decide with is loaded for the first that does.
const Decided = lazy(() => import('./actions/decided.tsx').then((module) => ({ default: module.Decided })));
const DecisionForm = lazy(() =>
  import('./actions/decision-form.tsx').then((module) => ({ default: module.DecisionForm })),
);

/** What a turn waits for, with what a person may do about it; or who has decided. */
export function Decision({ action }: { action: ActionLog }) {
  const deciding = useDecide(action.id);
  if (action.status !== 'pending')
    return (
      <>
        <DecisionProblem error={deciding.error} />
        <Suspense fallback={null}>
          <Decided action={toDecidedAction(action)} />
        </Suspense>
      </>
    );
  const asked = toAskedAction(action);
  return (
    <div className={styles.decision} role="group" aria-label={`Decision about ${asked.tool}`}>
      <p className={styles.because}>
        {toRequestText(asked)} It expires <Time at={action.requested.expiresAt} />.
      </p>
      <Suspense fallback={null}>
        <DecisionForm action={asked} deciding={deciding} />
      </Suspense>
      <DecisionProblem error={deciding.error} />
    </div>
  );
}
