import { queryOptions, useQuery } from '@tanstack/react-query';
import { holdfast } from '../api/client.ts';
import { collect } from '../api/pages.ts';
import { useMay } from '../app/session.tsx';

/** How many agents are named. */
const mostNames = 10;

const agentsUsingQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'using', id],
    queryFn: async ({ signal }) =>
      (await collect((page) => holdfast.agents.list(page, { signal })))
        .filter((agent) => JSON.stringify(agent).includes(id))
        .map(({ name }) => name),
  });

/** A sentence that names the agents that have the id of something in their tools or settings. */
export function AgentsUsing({ id }: { id: string }) {
  const { data: names } = useQuery({ ...agentsUsingQuery(id), enabled: useMay()('agents:read') });
  if (!names) return null;
  if (names.length === 0) return <> No agent uses it.</>;
  const more = names.length - mostNames;
  return (
    <>
      {' '}
      Agents that use it: {names.slice(0, mostNames).join(', ')}
      {more > 0 && ` and ${more} more`}.
    </>
  );
}
