import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { webhooksQuery } from './queries.ts';
import styles from './webhooks.module.css';

/** The webhooks of the workspace. */
export function Page() {
  const webhooks = useInfiniteQuery(webhooksQuery);
  return (
    <Frame title="Webhooks" fills actions={useMay()('webhooks:write') ? <NewButton /> : undefined}>
      <Problem error={webhooks.error} />
      <List
        label="Webhooks"
        items={webhooks.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={columns}
        loadMore={webhooks.hasNextPage ? () => void webhooks.fetchNextPage() : undefined}
        isLoading={webhooks.isFetching}
        empty={<NoWebhooks />}
      />
    </Frame>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/webhooks/new' })}>
      New webhook …
    </Button>
  );
}

function NoWebhooks() {
  return (
    <Empty
      title="There is no webhook yet"
      text="A webhook notifies a program of yours, or a channel of Slack, when turns end or wait for somebody."
      action={useMay()('webhooks:write') ? <Link to="/webhooks/new">Create one</Link> : undefined}
    />
  );
}

const columns: Column<Webhook>[] = [
  { name: 'State', width: '92px', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  {
    name: 'Address',
    width: 'minmax(0, 2fr)',
    cell: (webhook) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} className={styles.name}>
        {toAddress(webhook)}
      </Link>
    ),
  },
  { name: 'Events', width: 'minmax(0, 2fr)', isWide: true, cell: ({ events }) => events.join(', ') },
  { name: 'Why', width: 'minmax(0, 1fr)', isWide: true, cell: ({ disabledReason }) => disabledReason ?? '' },
  { name: 'Changed', width: '96px', isNumber: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** Where the messages of a webhook go. */
export function toAddress({ url, slack }: Webhook): string {
  return url ?? (slack ? `Slack, ${slack.channel}` : '');
}

/** Whether a webhook is notified. */
export function WebhookStatus({ webhook: { enabled } }: { webhook: Webhook }) {
  return <Status status={enabled ? 'active' : 'disabled'} />;
}
