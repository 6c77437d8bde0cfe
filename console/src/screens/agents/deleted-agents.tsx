import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { Resource } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { deletedAgentsQuery } from './queries.ts';

/** The agents that were deleted and can be restored. */
export function DeletedAgents({ search }: { search: string }) {
  const deleted = useInfiniteQuery(deletedAgentsQuery);
  const may = useMay();
  const wanted = search.trim().toLowerCase();
  const found = deleted.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Problem error={deleted.error} />
      <List
        label="Deleted agents"
        items={found.filter(({ name }) => name.toLowerCase().includes(wanted))}
        toKey={({ id }) => id}
        columns={may('agents:write') && may('resources:write') ? [...columns, restoreColumn] : columns}
        loadMore={deleted.hasNextPage ? () => void deleted.fetchNextPage() : undefined}
        isLoading={deleted.isFetching}
        empty={<Empty title={wanted === '' ? 'No agent was deleted' : 'No deleted agent fits'} />}
      />
    </>
  );
}

const columns: readonly Column<Resource>[] = [
  { name: 'Name', width: 'minmax(0, 2fr)', cell: ({ name }) => name },
  {
    name: 'Model',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ attributes: { model } }) => (typeof model === 'string' ? model : null),
  },
  { name: 'Version', width: '56px', isNumber: true, isWide: true, cell: ({ version }) => version },
  {
    ...{ name: 'Deleted', width: '92px', isNumber: true },
    cell: ({ deletedAt }) => deletedAt !== null && <Time at={deletedAt} />,
  },
];

const restoreColumn: Column<Resource> = {
  ...{ name: 'Restore', width: '92px', hidesName: true },
  cell: (agent) => <RestoreButton agent={agent} />,
};

function RestoreButton({ agent: { id, name } }: { agent: Resource }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const restore = useMutation({
    mutationFn: () => holdfast.resources.restore(id),
    onSuccess: async () => {
      await navigate({ to: '/agents/$agentId', params: { agentId: id } });
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  return (
    <>
      <Button
        kind="plain"
        label={`Restore ${name}`}
        isPending={restore.isPending}
        onPress={() => restore.mutate()}
      >
        Restore
      </Button>
      <Problem error={restore.error} />
    </>
  );
}
