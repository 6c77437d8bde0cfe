import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { GetPersonResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { peopleQuery } from './queries.ts';

type Person = GetPersonResponse;

/** The people who have signed in at an identity provider, with the roles of their last token. */
export function PeopleTab() {
  const mayManage = useMay()('api_keys:write');
  const people = useInfiniteQuery({ ...peopleQuery, enabled: mayManage });
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ id, active }: { id: string; active: boolean }) => holdfast.people.update(id, { active }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  });
  if (!mayManage) return <OfTokens />;
  return (
    <>
      <Problem error={people.error ?? change.error} />
      <List
        label="People"
        items={people.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={[...columns, toActiveColumn(change.mutate)]}
        loadMore={people.hasNextPage ? () => void people.fetchNextPage() : undefined}
        isLoading={people.isFetching}
        empty={
          <Empty
            title="Nobody has signed in yet"
            text="People who sign in at an identity provider of the installation are listed here. Others come with a token that a key issues."
          />
        }
      />
    </>
  );
}

/** Stands for the list where people may not be listed, but tokens may be issued. */
function OfTokens() {
  return (
    <Empty
      title="Tokens for people"
      text="A person signs in with a token that you issue, and has no more rights than you. Tokens end by themselves, or all of a person at once."
    />
  );
}

const columns: readonly Column<Person>[] = [
  {
    name: 'State',
    width: '108px',
    cell: ({ deactivatedAt }) => <Status status={deactivatedAt === null ? 'active' : 'deactivated'} />,
  },
  { name: 'Name', width: 'minmax(0, 2fr)', cell: ({ name }) => name },
  { name: 'Roles', width: 'minmax(0, 1fr)', isWide: true, cell: ({ roles }) => roles.join(', ') },
  { name: 'Groups', width: 'minmax(0, 1fr)', isWide: true, cell: ({ groups }) => groups.join(', ') },
  { name: 'Signs in at', width: 'minmax(0, 2fr)', isWide: true, cell: ({ issuer }) => issuer },
  {
    name: 'Last seen',
    width: '96px',
    isNumber: true,
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? '' : <Time at={lastSeenAt} />),
  },
];

const toActiveColumn = (change: (change: { id: string; active: boolean }) => void): Column<Person> => ({
  name: 'Actions',
  hidesName: true,
  width: '112px',
  cell: ({ id, name, deactivatedAt }) =>
    deactivatedAt === null ? (
      <ConfirmButton
        title={`Deactivate ${name}?`}
        text="All that the person has open ends, and so do the tokens and keys that the person has made."
        onConfirm={() => change({ id, active: false })}
      >
        Deactivate
      </ConfirmButton>
    ) : (
      <Button onPress={() => change({ id, active: true })}>Let in again</Button>
    ),
});
