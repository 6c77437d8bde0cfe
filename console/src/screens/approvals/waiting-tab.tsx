import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PendingAction } from '../../api/types.ts';
import { byExpiry, pendingActionsQuery } from '../../live/actions/pending-actions.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './approvals.module.css';
import { Inbox } from './inbox.tsx';
import { useChosen } from './use-chosen.ts';

/** What waits for people: the one that expires first at the top. */
export function WaitingTab({ hasKeys }: { hasKeys: boolean }) {
  const pending = useQuery(pendingActionsQuery);
  const waiting = pending.data?.actions ?? [];
  const { chosen, error, isOpened } = useChosen(waiting, 'action');
  const actions = withChosen(waiting, chosen);
  if (actions.length === 0 && pending.isSuccess && error === null) return <NothingWaits />;
  return (
    <>
      <Problem error={pending.error ?? error} />
      <Inbox
        label="What waits"
        name="action"
        actions={actions}
        chosen={chosen}
        isOpened={isOpened}
        hasKeys={hasKeys}
        toState={toState}
        toOrigin={toOrigin}
      >
        {pending.data?.isCut === true && (
          <p className={styles.note}>
            More than {formatCount(actions.length)} wait. The oldest ones show when you have decided some.
          </p>
        )}
      </Inbox>
    </>
  );
}

/** The chosen one stays at its place when it was decided. */
function withChosen(waiting: readonly PendingAction[], chosen: PendingAction | undefined) {
  if (!chosen) return waiting;
  const others = waiting.filter(({ id }) => id !== chosen.id);
  return [...others, chosen].toSorted(byExpiry);
}

function toState({ status, expiresAt }: PendingAction) {
  if (status !== 'pending') return <Status status={status} />;
  return <Time at={expiresAt} />;
}

/** Who asked, and why the call asks. */
function toOrigin({ askedBy, askedBecause, server }: PendingAction): string {
  const people = [...new Set(askedBy.flatMap(({ actingFor }) => (actingFor === null ? [] : [actingFor])))];
  return [people.join(', '), server === null ? '' : `the server ${server}`, askedBecause.join(', ')]
    .filter((text) => text !== '')
    .join(' · ');
}

function NothingWaits() {
  return (
    <Empty
      title="Nothing waits for a decision"
      text="Calls of tools whose approval is “ask”, questions of agents, and tools that your own programs run wait here."
      action={<Link to="/playground">Talk to an agent</Link>}
    />
  );
}
