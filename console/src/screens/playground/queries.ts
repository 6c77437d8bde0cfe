import { queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';

/** The newest agents. */
export const agentsQuery = queryOptions({
  queryKey: ['agents', 'newest'],
  queryFn: ({ signal }) => holdfast.agents.list({ limit: 100 }, { signal }),
});

/** The versions of an agent, newest first. */
export const versionsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', 'versions', agentId],
    queryFn: ({ signal }) => holdfast.agents.versions.list(agentId, { limit: 50 }, { signal }),
  });

/** One agent as it is now. */
export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', 'one', agentId],
    queryFn: ({ signal }) => holdfast.agents.get(agentId, { signal }),
  });

export const conversationQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['conversations', 'one', conversationId],
    queryFn: ({ signal }) => holdfast.conversations.get(conversationId, { signal }),
  });

/** The newest conversations with an agent. */
export const conversationsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['conversations', 'of-agent', agentId],
    queryFn: ({ signal }) => holdfast.conversations.list({ agentId, limit: 30 }, { signal }),
  });

/** The models that agents may use. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  staleTime: 60_000,
  queryFn: ({ signal }) => holdfast.agents.models({ kind: 'language', configured: 'true' }, { signal }),
});
