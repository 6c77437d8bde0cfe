import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { ApiKey } from '../../api/types.ts';
import { useIdentity } from '../../app/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCount } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { mayRevoke } from './may-revoke.ts';
import { keysQuery } from './queries.ts';

/** The API keys of the workspace, with what each may do and when it was last used. */
export function KeysTab() {
  const keys = useInfiniteQuery(keysQuery);
  const queries = useQueryClient();
  const identity = useIdentity();
  const revoke = useMutation({
    mutationFn: (id: string) => holdfast.apiKeys.revoke(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  return (
    <>
      <Problem error={keys.error ?? revoke.error} />
      <List
        label="API keys"
        items={keys.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={[...columns, toRevokeColumn(revoke.mutate, (key) => mayRevoke(identity, key))]}
        loadMore={keys.hasNextPage ? () => void keys.fetchNextPage() : undefined}
        isLoading={keys.isFetching}
        empty={<Empty title="There is no API key" />}
      />
    </>
  );
}

const columns: readonly Column<ApiKey>[] = [
  { name: 'State', width: '92px', cell: (key) => <KeyStatus apiKey={key} /> },
  { name: 'Name', width: 'minmax(0, 2fr)', cell: ({ name }) => name },
  {
    name: 'Acts for',
    width: 'minmax(0, 1fr)',
    isWide: true,
    cell: ({ actsFor }) => actsFor ?? 'no person',
  },
  {
    name: 'May',
    width: '88px',
    isWide: true,
    cell: ({ scopes }) => (
      <span title={scopes.join('\n')}>
        {scopes.length === 1 ? '1 scope' : `${formatCount(scopes.length)} scopes`}
      </span>
    ),
  },
  { name: 'Groups', width: 'minmax(0, 1fr)', isWide: true, cell: ({ groups }) => groups.join(', ') },
  {
    name: 'Created',
    width: '96px',
    isNumber: true,
    isWide: true,
    cell: (key) => <Time at={key.createdAt} />,
  },
  {
    name: 'Last used',
    width: '96px',
    isNumber: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
  },
  {
    name: 'Expires',
    width: '96px',
    isNumber: true,
    isWide: true,
    cell: ({ expiresAt }) => (expiresAt === null ? '' : <Time at={expiresAt} />),
  },
];

const toRevokeColumn = (
  revoke: (id: string) => void,
  isInReach: (key: ApiKey) => boolean,
): Column<ApiKey> => ({
  name: 'Revoke',
  hidesName: true,
  width: '88px',
  cell: (key) =>
    key.revokedAt === null &&
    isInReach(key) && (
      <ConfirmButton
        title={`Revoke ${key.name}?`}
        text="Requests with it are refused from now on, its sessions and open streams end, and what it has stored to act later stops."
        onConfirm={() => revoke(key.id)}
      >
        Revoke
      </ConfirmButton>
    ),
});

function KeyStatus({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  const now = useNow(10_000);
  if (revokedAt !== null) return <Status status="revoked" tone="off" />;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  return <Status status={isOver ? 'expired' : 'active'} {...(isOver ? { tone: 'off' } : {})} />;
}
