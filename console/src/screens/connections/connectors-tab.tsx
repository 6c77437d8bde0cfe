import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { Connector } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { toAuthName } from '../../live/connect/auth-offers.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './connections.module.css';
import { NewConnectorButton } from './new-connector.tsx';
import { connectorsQuery } from './queries.ts';

/** The list of connectors. */
export function ConnectorsTab() {
  const connectors = useInfiniteQuery(connectorsQuery);
  const canWrite = useMay()('connections:write');
  const deletion = useDeletion();
  return (
    <>
      <Problem error={connectors.error ?? deletion.error} />
      <List
        label="Connectors"
        items={connectors.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={canWrite ? [...columns, toDeleteColumn(deletion)] : columns}
        loadMore={connectors.hasNextPage ? () => void connectors.fetchNextPage() : undefined}
        isLoading={connectors.isFetching}
        empty={
          <Empty
            title="There is no connector yet"
            text="A connector is an MCP server with the list of its tools that agents may be given. Agents get them when they are provisioned."
            action={canWrite ? <NewConnectorButton /> : undefined}
          />
        }
      />
    </>
  );
}

function useDeletion() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (connectorId: string) => holdfast.connectors.delete(connectorId),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['connectors'] }),
        queries.invalidateQueries({ queryKey: ['connections'] }),
      ]),
  });
}

const columns: readonly Column<Connector>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 1fr)',
    cell: ({ name, connectionId }) => (
      <Link to="/connections/$connectionId" params={{ connectionId }} className={styles.name}>
        {name}
      </Link>
    ),
  },
  { name: 'Endpoint', width: 'minmax(0, 2fr)', isWide: true, cell: ({ endpoint }) => endpoint },
  {
    name: 'Credentials',
    width: 'minmax(0, 1fr)',
    isWide: true,
    cell: ({ auth }) => toAuthName(auth['type']),
  },
  {
    name: 'Tools',
    width: 'minmax(0, 2fr)',
    cell: ({ tools }) => (tools.length === 0 ? 'none' : tools.join(', ')),
  },
  {
    name: 'Created',
    width: '92px',
    isNumber: true,
    isWide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function toDeleteColumn({ mutate, isPending }: ReturnType<typeof useDeletion>): Column<Connector> {
  return {
    name: 'Actions',
    hidesName: true,
    width: '80px',
    cell: ({ id, name }) => (
      <ConfirmButton
        title={`Delete the connector ${name}?`}
        text="Its connection and the credentials are deleted too. Agents lose its tools when they are provisioned again; until then, calls of these tools are refused."
        isPending={isPending}
        onConfirm={() => mutate(id)}
      >
        Delete
      </ConfirmButton>
    ),
  };
}
