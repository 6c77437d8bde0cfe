import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Connection } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { useKeyNames } from '../../live/names.ts';
import { toAuthName } from '../../live/connect/auth-offers.ts';
import { onConsent } from '../../live/connect/consent.ts';
import { findPlainTarget } from '../../live/connect/targets.ts';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './connections.module.css';
import { connectionsQuery, connectionTestQuery, providersQuery } from './queries.ts';

/** The list of connections. */
export function ConnectionsTab() {
  const connections = useInfiniteQuery(connectionsQuery);
  const { refetch } = connections;
  useEffect(() => onConsent(() => void refetch()), [refetch]);
  return (
    <>
      <Problem error={connections.error} />
      <List
        label="Connections"
        items={connections.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={useColumns()}
        loadMore={connections.hasNextPage ? () => void connections.fetchNextPage() : undefined}
        isLoading={connections.isFetching}
        empty={<NoConnections />}
      />
    </>
  );
}

function NoConnections() {
  return (
    <Empty
      title="There is no connection yet"
      text="A connection keeps the credentials for a provider, an MCP server or a vendor of models. Agents use it and never see them."
      action={
        useMay()('connections:write') ? (
          <Link to="/connections" search={{ tab: 'providers' }}>
            Choose a provider
          </Link>
        ) : undefined
      }
    />
  );
}

function useColumns(): Column<Connection>[] {
  const providers = useQuery(providersQuery());
  const may = useMay();
  const keys = useKeyNames();
  const titles = new Map(providers.data?.providers.map(({ name, title }) => [name, title]));
  const columns: Column<Connection>[] = [
    {
      name: 'Name',
      width: 'minmax(0, 2fr)',
      cell: ({ id, name }) => (
        <Link to="/connections/$connectionId" params={{ connectionId: id }} className={styles.name}>
          {name}
        </Link>
      ),
    },
    {
      name: 'Leads to',
      width: 'minmax(0, 2fr)',
      isWide: true,
      cell: ({ provider, endpoint }) =>
        endpoint ?? titles.get(provider) ?? findPlainTarget(provider)?.title ?? provider,
    },
    { name: 'State', width: '100px', cell: ({ status }) => <ConnectionStatus status={status} /> },
    {
      name: 'Credentials',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ auth }) => toAuthName(auth['type']),
    },
    {
      name: 'Created by',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ ownerId }) => (ownerId === null ? '' : (keys?.get(ownerId) ?? '')),
    },
    { name: 'Last test', width: '92px', isWide: true, cell: ({ id }) => <LastTest connectionId={id} /> },
    {
      name: 'Last used',
      width: '92px',
      isNumber: true,
      isWide: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
    },
  ];
  return columns.filter(({ name }) => (name === 'Last test' ? may('connections:write') : true));
}

function LastTest({ connectionId }: { connectionId: string }) {
  const { data: test } = useQuery(connectionTestQuery(connectionId));
  if (!test) return null;
  return <Status status={test.ok ? 'succeeded' : 'failed'} />;
}

/** The state of a connection: one that waits for the consent of a person is no failure. */
export function ConnectionStatus({ status }: { status: Connection['status'] }) {
  return <Status status={status} {...(status === 'expired' ? { tone: 'wait' as const } : {})} />;
}
