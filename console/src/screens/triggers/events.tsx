import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Trigger, TriggerDelivery } from '../../api/types.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatCount } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Split } from '../../ui/split.tsx';
import { Time } from '../../ui/time.tsx';
import { EventDetails, EventStatus } from './event-details.tsx';
import { eventsQuery } from './queries.ts';
import styles from './triggers.module.css';

interface EventsProps {
  trigger: Trigger;
  status: TriggerDelivery['status'] | undefined;
  /** The id of the chosen event. */
  chosen: string | undefined;
  canChange: boolean;
}

/** The events that have come to a trigger, and the chosen one in full. */
export function Events({ trigger, status, chosen, canChange }: EventsProps) {
  const events = useInfiniteQuery(eventsQuery(trigger.id, status));
  const items = events.data?.pages.flatMap((page) => page.items) ?? [];
  const list = (
    <>
      <Problem error={events.error} />
      <List
        label="Events"
        items={items}
        toKey={({ id }) => id}
        columns={columns}
        loadMore={events.hasNextPage ? () => void events.fetchNextPage() : undefined}
        isLoading={events.isFetching}
        empty={<NoEvents isFiltered={status !== undefined} />}
      />
    </>
  );
  if (items.length === 0) return list;
  return (
    <Split
      label="Events"
      fills
      details={
        chosen === undefined ? (
          <p className={styles.quiet}>Choose an event to see its payload.</p>
        ) : (
          <EventDetails key={chosen} triggerId={trigger.id} eventId={chosen} canChange={canChange} />
        )
      }
    >
      {list}
    </Split>
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No event has this state" />;
  return (
    <Empty
      title="No event has come yet"
      text="Register the address above with the sender, with the secret. Requests that are not signed by it are refused."
    />
  );
}

const columns: Column<TriggerDelivery>[] = [
  { name: 'State', width: '92px', cell: ({ status }) => <EventStatus status={status} /> },
  {
    name: 'Type',
    width: 'minmax(0, 1fr)',
    cell: ({ id, event }) => (
      <Link
        to="."
        search={(before: object) => ({ ...before, event: id })}
        replace
        resetScroll={false}
        className={styles.name}
      >
        <code>{event ?? 'unknown'}</code>
      </Link>
    ),
  },
  {
    name: 'Why',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ reason, error }) => error?.message ?? reason ?? '',
  },
  {
    name: 'Again',
    width: '56px',
    isNumber: true,
    isWide: true,
    cell: ({ duplicates }) => (duplicates === 0 ? '' : `${formatCount(duplicates)} ×`),
  },
  { name: 'Came', width: '96px', isNumber: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
];
