import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { collect, toPageRequest } from '../../api/pages.ts';
import type { GetSwarmResponse } from '../../api/types.ts';

/** A swarm with its shared state. */
export type Swarm = GetSwarmResponse;

/** The swarms of the workspace, newest first. */
export const swarmsQuery = infiniteQueryOptions({
  queryKey: ['swarms', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.swarms.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One swarm with its shared state. */
export const swarmQuery = (swarmId: string) =>
  queryOptions({
    queryKey: ['swarms', 'one', swarmId],
    queryFn: ({ signal }) => holdfast.swarms.get(swarmId, { signal }),
  });

/** The names of the teams among the resources by their ids. */
export const teamNamesQuery = queryOptions({
  queryKey: ['resources', 'team-names'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const teams = await collect((page) => holdfast.resources.list({ ...page, kind: 'team' }, { signal }));
    return new Map(teams.map(({ id, attributes }) => [id, toName(attributes)]));
  },
});

function toName(attributes: object): string {
  return 'name' in attributes && typeof attributes.name === 'string' ? attributes.name : 'A team';
}
