import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Trigger } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames, useRoutineNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { triggersQuery, useSenderNames } from './queries.ts';
import styles from './triggers.module.css';

/** The triggers of the workspace. */
export function Page() {
  const triggers = useInfiniteQuery(triggersQuery);
  return (
    <Frame title="Triggers" fills actions={useMay()('conversations:write') ? <NewButton /> : undefined}>
      <Problem error={triggers.error} />
      <List
        label="Triggers"
        items={triggers.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={useColumns()}
        loadMore={triggers.hasNextPage ? () => void triggers.fetchNextPage() : undefined}
        isLoading={triggers.isFetching}
        empty={<NoTriggers />}
      />
    </Frame>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/triggers/new' })}>
      New trigger …
    </Button>
  );
}

function NoTriggers() {
  return (
    <Empty
      title="There is no trigger yet"
      text="A trigger has an address to which GitHub, Slack or another program sends its events. Each one starts a turn of an agent or a run of a routine."
      action={useMay()('conversations:write') ? <Link to="/triggers/new">Create one</Link> : undefined}
    />
  );
}

function useColumns(): Column<Trigger>[] {
  const senders = useSenderNames();
  return [
    { name: 'State', width: '108px', cell: (trigger) => <TriggerStatus trigger={trigger} /> },
    {
      name: 'Name',
      width: 'minmax(0, 1fr)',
      cell: ({ id, name }) => (
        <Link to="/triggers/$triggerId" params={{ triggerId: id }} className={styles.name}>
          {name}
        </Link>
      ),
    },
    {
      name: 'From',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ provider, events }) => `${senders?.get(provider) ?? provider}: ${events.join(', ')}`,
    },
    {
      name: 'Starts',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: (trigger) => <Started trigger={trigger} />,
    },
    { name: 'Address', width: 'minmax(0, 2fr)', isWide: true, cell: ({ url }) => <code>{url}</code> },
    {
      name: 'Actions',
      hidesName: true,
      width: '72px',
      cell: ({ url, name }) => (
        <Copy text={url} label={`Copy the address of ${name}`}>
          Copy
        </Copy>
      ),
    },
  ];
}

/** Whether a trigger starts something: one without a secret refuses every event. */
export function TriggerStatus({ trigger: { paused, stoppedAt, hasSecret } }: { trigger: Trigger }) {
  if (stoppedAt !== null) return <Status status="stopped" />;
  if (!hasSecret) return <Status status="no_secret" tone="wait" />;
  return <Status status={paused ? 'paused' : 'active'} />;
}

/** What a trigger starts, in a few words. */
export function Started({ trigger: { action } }: { trigger: Trigger }) {
  const agents = useAgentNames();
  const routines = useRoutineNames();
  if (action.kind === 'routine') return `the routine ${routines?.get(action.routineId) ?? ''}`;
  const { agentId } = action;
  return agentId === undefined ? 'turns of one conversation' : (agents?.get(agentId) ?? 'turns of an agent');
}
