import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';

/** The API keys of the workspace, newest first. */
export const keysQuery = infiniteQueryOptions({
  queryKey: ['api-keys', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.apiKeys.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** The people who have signed in at an identity provider, newest first. */
export const peopleQuery = infiniteQueryOptions({
  queryKey: ['people', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.people.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** The workspace with the settings that hold for it. */
export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: ({ signal }) => holdfast.workspace.get({ signal }),
});
