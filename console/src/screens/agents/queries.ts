import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { collect } from '../../api/pages.ts';
import type { Agent, ListAgentToolsResponse, ListProvidersData } from '../../api/types.ts';

/** A group of the catalogue of providers. */
export type Category = NonNullable<NonNullable<ListProvidersData['query']>['category']>;

/** The agents of the workspace, newest first. */
export const agentsQuery = infiniteQueryOptions({
  queryKey: ['agents', 'list'],
  queryFn: ({ pageParam, signal }) =>
    holdfast.agents.list({ limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** The agents that were deleted, which are found as resources. */
export const deletedAgentsQuery = infiniteQueryOptions({
  queryKey: ['agents', 'deleted'],
  queryFn: ({ pageParam, signal }) =>
    holdfast.resources.list(
      { kind: 'agent', deleted: 'true', limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      { signal },
    ),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** All agents of the workspace. */
export const allAgentsQuery = queryOptions({
  queryKey: ['agents', 'all'],
  queryFn: ({ signal }) => collect((page) => holdfast.agents.list(page, { signal })),
});

/** One agent as it is now. */
export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', 'one', agentId],
    queryFn: ({ signal }) => holdfast.agents.get(agentId, { signal }),
  });

/** How often the states of tools are read anew, in milliseconds: a server can change a tool while its agent stays. */
const statePollMs = 30_000;

type AgentRef = Pick<Agent, 'id' | 'version'>;

/** The tools of a version of an agent with their states; until they are known, those of the version before. */
export const toolStatesQuery = ({ id, version }: AgentRef) =>
  queryOptions<ListAgentToolsResponse>({
    queryKey: ['agents', 'tools', id, version],
    refetchInterval: statePollMs,
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
    queryFn: ({ signal }) => holdfast.agents.tools.list(id, { signal }),
  });

/** One tool with its state; a gateway with the tools that were called through it. */
export const toolQuery = (agentId: string, toolId: string) =>
  queryOptions({
    queryKey: ['agents', 'tool', agentId, toolId],
    queryFn: ({ signal }) => holdfast.agents.tools.get(agentId, toolId, { signal }),
  });

/** The versions of an agent up to a version, newest first. */
export const versionsQuery = ({ id: agentId, version }: AgentRef) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'version-list', agentId, version],
    queryFn: ({ pageParam, signal }) =>
      holdfast.agents.versions.list(
        agentId,
        { limit: 50, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** One version of an agent, which never changes. */
export const versionQuery = (agentId: string, version: number) =>
  queryOptions({
    queryKey: ['agent-versions', agentId, version],
    staleTime: Infinity,
    queryFn: ({ signal }) => holdfast.agents.versions.get(agentId, version, { signal }),
  });

/** The connectors that are attached to an agent. */
export const attachedQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', 'connectors', agentId],
    queryFn: ({ signal }) => holdfast.agents.connectors.list(agentId, { signal }),
  });

/** The models that answer in words, also those that nobody has set up. */
export const modelsQuery = queryOptions({
  queryKey: ['models', 'language'],
  staleTime: 60_000,
  queryFn: ({ signal }) => holdfast.agents.models({ kind: 'language' }, { signal }),
});

/** All connections of the workspace. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'all'],
  queryFn: ({ signal }) => collect((page) => holdfast.connections.list(page, { signal })),
});

/** All connectors of the workspace. */
export const connectorsQuery = queryOptions({
  queryKey: ['connectors', 'all'],
  queryFn: ({ signal }) => collect((page) => holdfast.connectors.list(page, { signal })),
});

/** The providers of the catalogue and the imported ones that the text and the category choose. */
export const providersQuery = ({ search, category }: { search: string; category: Category | '' }) =>
  queryOptions({
    queryKey: ['providers', 'list', search, category],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      holdfast.providers.list(
        { ...(search === '' ? {} : { search }), ...(category === '' ? {} : { category }) },
        { signal },
      ),
  });

/** One provider with its operations. */
export const providerQuery = (name: string) =>
  queryOptions({
    queryKey: ['providers', 'one', name],
    staleTime: 30_000,
    queryFn: ({ signal }) => holdfast.providers.get(name, { signal }),
  });

/** The functions that run in the workers. */
export const functionsQuery = queryOptions({
  queryKey: ['functions'],
  staleTime: 30_000,
  queryFn: ({ signal }) => holdfast.functions.list({ signal }),
});

/** The Temporal workflows of the operator that agents may start. */
export const workflowTypesQuery = queryOptions({
  queryKey: ['workflow-types'],
  staleTime: 30_000,
  queryFn: ({ signal }) => holdfast.workflowTypes.list({ signal }),
});

/** All knowledge bases of the workspace. */
export const knowledgeBasesQuery = queryOptions({
  queryKey: ['knowledge', 'all'],
  queryFn: ({ signal }) => collect((page) => holdfast.knowledgeBases.list(page, { signal })),
});

/** All skills of the workspace. */
export const skillsQuery = queryOptions({
  queryKey: ['skills', 'all'],
  queryFn: ({ signal }) => collect((page) => holdfast.skills.list(page, { signal })),
});
