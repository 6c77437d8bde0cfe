import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import type { JsonValue, PendingAction } from '../../api/types.ts';
import { useIdentity } from '../../app/session.tsx';
import { toRequestText } from '../../live/actions/asked-action.ts';
import { Decided } from '../../live/actions/decided.tsx';
import { DecisionForm } from '../../live/actions/decision-form.tsx';
import { DecisionProblem } from '../../live/actions/decision-problem.tsx';
import { useDecide } from '../../live/actions/use-decide.ts';
import { NamedValues } from '../../ui/named-values.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { ActionFacts } from './action-facts.tsx';
import styles from './approvals.module.css';
import { findRefusal } from './refusal.ts';

interface ActionDetailsProps {
  action: PendingAction;
  hasKeys: boolean;
  listName: 'action' | 'decided';
  /** Called when the action was decided while it is shown, and its buttons are gone. */
  onDecided: () => void;
}

/** All that a person needs to know to decide about an action; or who has decided what. */
export function ActionDetails({ action, hasKeys, listName, onDecided }: ActionDetailsProps) {
  const title = useId();
  const deciding = useDecide(action.id);
  const refusal = findRefusal(action, useIdentity());
  const isPending = action.status === 'pending';
  useOnEnd(isPending, onDecided);
  return (
    <article className={styles.details} aria-labelledby={title}>
      <Link
        to="."
        search={(before: object) => ({ ...before, [listName]: undefined })}
        replace
        className={styles.back}
      >
        Back to the list
      </Link>
      <header>
        <h2 id={title} className={styles.title} tabIndex={-1}>
          {action.target ?? action.tool}
        </h2>
        <Meta action={action} />
      </header>
      {(isPending || action.question !== null) && <p className={styles.request}>{toRequestText(action)}</p>}
      <DecisionProblem error={deciding.error} />
      {!isPending && <Decided action={action} />}
      {isPending && refusal !== null && <p className={styles.quiet}>{refusal}</p>}
      {isPending && refusal === null && (
        <DecisionForm action={action} deciding={deciding} hasKeys={hasKeys} />
      )}
      <Contents action={action} />
      <ActionFacts action={action} />
    </article>
  );
}

/** Calls a function once when the action ends. The buttons had the focus perhaps, and are gone then. */
function useOnEnd(isPending: boolean, onDecided: () => void): void {
  const wasPending = useRef(isPending);
  useEffect(() => {
    const hasLostFocus = document.activeElement === document.body;
    if (wasPending.current && !isPending && hasLostFocus) onDecided();
    wasPending.current = isPending;
  }, [isPending, onDecided]);
}

function Meta({ action: { status, createdAt, expiresAt, decidedAt } }: { action: PendingAction }) {
  return (
    <p className={styles.meta} role="status">
      <Status status={status === 'pending' ? 'waiting' : status} />
      <span>
        asked <Time at={createdAt} />
      </span>
      {status === 'pending' && (
        <span>
          expires <Time at={expiresAt} />
        </span>
      )}
      {decidedAt !== null && (
        <span>
          decided <Time at={decidedAt} />
        </span>
      )}
    </p>
  );
}

/** What the call is given, and what was answered. The arguments of a question of an agent are its text. */
function Contents({ action }: { action: PendingAction }) {
  const { kind, server, arguments: given, answer } = action;
  const hasArguments = kind !== 'question' || server !== null;
  return (
    <>
      {hasArguments && (
        <section className={styles.section}>
          <h3 className={styles.name}>Arguments</h3>
          {Object.keys(given).length === 0 ? <p>None.</p> : <NamedValues values={given} />}
        </section>
      )}
      {answer !== null && (
        <section className={styles.section}>
          <h3 className={styles.name}>Answer</h3>
          <Answer value={answer} />
        </section>
      )}
    </>
  );
}

function Answer({ value }: { value: JsonValue }) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return <NamedValues values={value} />;
  return <p className={styles.text}>{typeof value === 'string' ? value : JSON.stringify(value)}</p>;
}
