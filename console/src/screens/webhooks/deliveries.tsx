import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Webhook, WebhookDelivery } from '../../api/types.ts';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Split } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { deliveriesQuery } from './queries.ts';
import styles from './webhooks.module.css';

interface DeliveriesProps {
  webhook: Webhook;
  status: WebhookDelivery['status'] | undefined;
  /** The id of the chosen delivery. */
  chosen: string | undefined;
  canResend: boolean;
}

/** What was sent to a webhook, and the chosen delivery in full. */
export function Deliveries({ webhook, status, chosen, canResend }: DeliveriesProps) {
  const deliveries = useInfiniteQuery(deliveriesQuery(webhook.id, status));
  const items = deliveries.data?.pages.flatMap((page) => page.items) ?? [];
  const list = (
    <>
      <Problem error={deliveries.error} />
      <List
        label="Deliveries"
        items={items}
        toKey={({ id }) => id}
        columns={columns}
        loadMore={deliveries.hasNextPage ? () => void deliveries.fetchNextPage() : undefined}
        isLoading={deliveries.isFetching}
        empty={<NoDeliveries isFiltered={status !== undefined} />}
      />
    </>
  );
  if (items.length === 0) return list;
  return (
    <Split
      label="Deliveries"
      fills
      details={
        chosen === undefined ? (
          <p className={styles.quiet}>Choose a delivery to see its attempts.</p>
        ) : (
          <DeliveryDetails key={chosen} webhookId={webhook.id} deliveryId={chosen} canResend={canResend} />
        )
      }
    >
      {list}
    </Split>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No delivery has this state" />;
  return <Empty title="Nothing was sent yet" text="The next event of a chosen kind is sent at once." />;
}

const columns: Column<WebhookDelivery>[] = [
  { name: 'State', width: '104px', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'Event',
    width: 'minmax(0, 2fr)',
    cell: ({ id, type }) => (
      <Link
        to="."
        search={(before: object) => ({ ...before, delivery: id })}
        replace
        resetScroll={false}
        className={styles.name}
      >
        <code>{type}</code>
      </Link>
    ),
  },
  { name: 'Attempts', width: '68px', isNumber: true, isWide: true, cell: ({ attemptCount }) => attemptCount },
  {
    name: 'Next attempt',
    width: '96px',
    isNumber: true,
    isWide: true,
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '' : <Time at={nextAttemptAt} />),
  },
  { name: 'Happened', width: '96px', isNumber: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];
