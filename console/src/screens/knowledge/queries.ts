import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { collect, toPageRequest } from '../../api/pages.ts';
import type { Document } from '../../api/types.ts';

/** The knowledge bases of the workspace, newest first. */
export const basesQuery = infiniteQueryOptions({
  queryKey: ['knowledge-bases', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.knowledgeBases.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One knowledge base. */
export const baseQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['knowledge-bases', 'one', baseId],
    queryFn: ({ signal }) => holdfast.knowledgeBases.get(baseId, { signal }),
  });

/** How often documents are read while some are processed, in milliseconds. */
const processingPollMs = 1_500;

/** Whether a document is waiting or processed now. */
export const isOpen = ({ status }: Document) => status === 'queued' || status === 'processing';

/** The documents of a knowledge base, newest first; read again and again while some are processed. */
export const documentsQuery = (baseId: string) =>
  infiniteQueryOptions({
    queryKey: ['documents', 'list', baseId],
    queryFn: ({ pageParam, signal }) =>
      holdfast.knowledgeBases.documents.list(baseId, toPageRequest(pageParam), { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isOpen)) ? processingPollMs : false,
  });

/** One document of a knowledge base. */
export const documentQuery = (baseId: string, documentId: string) =>
  queryOptions({
    queryKey: ['documents', 'one', documentId, baseId],
    queryFn: ({ signal }) => holdfast.knowledgeBases.documents.get(baseId, documentId, { signal }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? processingPollMs : false),
  });

/** The passages that a search of an agent would find. */
export const passagesQuery = (baseId: string, query: string) =>
  queryOptions({
    queryKey: ['documents', 'passages', baseId, query],
    queryFn: ({ signal }) => holdfast.knowledgeBases.query(baseId, { query, limit: 20 }, { signal }),
  });

/** The models that embed texts. */
export const embeddingModelsQuery = queryOptions({
  queryKey: ['models', 'embedding'],
  staleTime: 60_000,
  queryFn: ({ signal }) => holdfast.agents.models({ kind: 'embedding' }, { signal }),
});

/** The vendors whose models embed texts. */
const embeddingVendors = ['openai', 'google', 'compatible'];

/** The connections whose keys can pay for embeddings. */
export const embeddingConnectionsQuery = queryOptions({
  queryKey: ['connections', 'of-embeddings'],
  staleTime: 60_000,
  queryFn: async ({ signal }) =>
    (await collect((page) => holdfast.connections.list(page, { signal }))).filter(({ provider }) =>
      embeddingVendors.includes(provider),
    ),
});

/** Reads anew what the page shows of knowledge bases and their documents. */
export async function refreshKnowledge(queries: QueryClient): Promise<void> {
  await Promise.all(
    ['knowledge-bases', 'documents'].map((noun) => queries.invalidateQueries({ queryKey: [noun] })),
  );
}
