import { queryOptions, useQuery } from '@tanstack/react-query';
import { holdfast } from '../api/client.ts';
import { collect } from '../api/pages.ts';
import type { ApiKey } from '../api/types.ts';
import { useMay } from '../app/session.tsx';

/** The names of all agents by their ids. */
const agentNamesQuery = queryOptions({
  queryKey: ['agents', 'names'],
  staleTime: 60_000,
  queryFn: async ({ signal }) =>
    toNames(await collect((page) => holdfast.agents.list(page, { signal })), ({ name }) => name),
});

/** The names of all routines by their ids, with their namespaces. */
const routineNamesQuery = queryOptions({
  queryKey: ['routines', 'names'],
  staleTime: 60_000,
  queryFn: async ({ signal }) =>
    toNames(
      await collect((page) => holdfast.routines.list(page, { signal })),
      ({ namespace, name }) => `${namespace}/${name}`,
    ),
});

/** All API keys. */
const keysQuery = queryOptions({
  queryKey: ['api-keys', 'names'],
  staleTime: 60_000,
  queryFn: ({ signal }) => collect((page) => holdfast.apiKeys.list(page, { signal })),
});

type Keys = readonly Pick<ApiKey, 'id' | 'name' | 'actsFor'>[];

const toKeyNames = (keys: Keys) => toNames(keys, ({ name, actsFor }) => actsFor ?? name);

const toKeyIds = (keys: Keys): ReadonlyMap<string, string> =>
  new Map(keys.filter(({ actsFor }) => actsFor === null).map(({ id, name }) => [name, id]));

function toNames<Item extends { id: string }>(
  items: readonly Item[],
  toName: (item: Item) => string,
): ReadonlyMap<string, string> {
  return new Map(items.map((item) => [item.id, toName(item)]));
}

/** The names of all agents by their ids; undefined until they are read, and for who may not read agents. */
export function useAgentNames(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...agentNamesQuery, enabled: useMay()('agents:read') }).data;
}

/** The names of all routines by their ids; undefined until they are read, and for who may not read routines. */
export function useRoutineNames(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...routineNamesQuery, enabled: useMay()('routines:read') }).data;
}

/** The persons or the names of all API keys by their ids; undefined until they are read, and for who may not read keys. */
export function useKeyNames(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...keysQuery, select: toKeyNames, enabled: useMay()('api_keys:write') }).data;
}

/** The ids of the API keys that act for no one person, by their names; undefined as the names are. */
export function useKeyIds(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...keysQuery, select: toKeyIds, enabled: useMay()('api_keys:write') }).data;
}
