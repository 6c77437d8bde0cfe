import { HoldfastError } from '../../../domain/errors.ts';
import type {
  EmbedTexts,
  KnowledgeBase,
  KnowledgeResult,
  SearchKnowledge,
} from '../../../domain/knowledge.ts';
import { toStorableText } from '../../../domain/storable.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { checkDirection, checkEmbeddings } from '../check-embeddings.ts';
import { fuseRankings } from './fuse-rankings.ts';
import type { KnowledgeStore } from '../knowledge-store.ts';
import { createBestList, multiply, toUnitVector, type ChunkRef } from './vectors.ts';

interface SearchParts {
  store: KnowledgeStore;
  embed: EmbedTexts;
}

const defaultLimit = 8;
/** How many results of each ranking are merged at least. */
const leastCandidates = 50;
/** The size of a page of embeddings when the program compares them, in bytes and in vectors. */
const pageBytes = 8 * 1024 * 1024;
const embeddingsPerPage = 1000;
/** How long the embedding of a query may take before the search uses words only, in milliseconds. */
const embeddingTimeoutMs = 15_000;

interface Search {
  base: KnowledgeBase;
  query: string;
  candidates: number;
  workspaceId: string;
  signal: AbortSignal;
  /** Names the embedding of the query in the ledger of credits. */
  call: { sourceId: string; part: string };
}

/**
 * Builds the search: full text always, and exact comparison of embeddings when the knowledge base has them, merged by
 * reciprocal rank. When the embedding model fails or has no price under a budget, the search uses words only, and `notice` has
 * the reason. A budget that does not allow the embedding ends the search.
 */
export function createKnowledgeSearch({ store, embed }: SearchParts): SearchKnowledge {
  return async ({ workspaceId, knowledgeBaseId, limit = defaultLimit, signal, caller, ...request }) => {
    signal.throwIfAborted();
    const query = toStorableText(request.query);
    const base = await store.inWorkspace(workspaceId, ({ knowledgeBases }) =>
      knowledgeBases.getKnowledgeBase(knowledgeBaseId),
    );
    const candidates = Math.max(leastCandidates, 2 * limit);
    const search: Search = { base, query, candidates, workspaceId, signal, call: toCall(caller) };
    const [byWords, byMeaning] = await Promise.all([
      store.inWorkspace(workspaceId, ({ chunks }) => chunks.searchByWords(base.id, query, candidates)),
      rankByMeaning({ store, embed }, search),
    ]);
    const best = fuseRankings([byWords, byMeaning.places]).slice(0, limit);
    return { results: await readResults(store, workspaceId, best), notice: byMeaning.notice };
  };
}

function toCall(caller: { turnId: string; toolCallId: string } | undefined): Search['call'] {
  if (!caller) return { sourceId: newId(), part: 'embedding' };
  return { sourceId: caller.turnId, part: `embedding/${caller.toolCallId}` };
}

async function rankByMeaning(
  { store, embed }: SearchParts,
  search: Search,
): Promise<{ places: ChunkRef[]; notice: string | null }> {
  const { base, workspaceId, query, signal, call } = search;
  const { embeddingModel: model, embeddingConnectionId: connectionId } = base;
  if (model === null) return { places: [], notice: null };
  const isEmbedded = await store.inWorkspace(workspaceId, ({ knowledgeBases }) =>
    knowledgeBases.hasEmbeddings(base.id, model),
  );
  if (!isEmbedded) return { places: [], notice: null };
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(embeddingTimeoutMs)]);
    const vectors = await embed({ workspaceId, model, connectionId, call }, [query], limited);
    checkEmbeddings(model, vectors, 1);
    const vector = toUnitVector(vectors[0] ?? []);
    checkDirection(model, vector);
    const places = await rankByVector(store, { ...search, model, vector });
    return { places, notice: null };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HoldfastError && error.code === 'BUDGET_EXCEEDED') throw error;
    return { places: [], notice: toNotice(error) };
  }
}

function toNotice(error: unknown): string {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  if (!isTimeout && !(error instanceof HoldfastError)) throw error;
  const reason = isTimeout ? 'The embedding model took too long.' : error.message;
  return `Searched by words only, since the query could not be embedded. ${reason}`;
}

async function rankByVector(
  store: KnowledgeStore,
  { base, model, vector, candidates, workspaceId, signal }: Search & { model: string; vector: Float32Array },
): Promise<ChunkRef[]> {
  const scope = { knowledgeBaseId: base.id, embeddingModel: model };
  const hasVectors = await store.hasVectors();
  return store.inWorkspace(workspaceId, async ({ chunks }) => {
    if (hasVectors) return chunks.searchByVector(scope, vector, candidates);
    const best = createBestList<ChunkRef>(candidates);
    const limit = Math.min(embeddingsPerPage, Math.ceil(pageBytes / vector.byteLength));
    let after: ChunkRef | null = null;
    for (;;) {
      signal.throwIfAborted();
      const page = await chunks.listEmbeddings(scope, { after, limit, bytes: vector.byteLength });
      for (const { documentId, position, embedding } of page) {
        const score = multiply(vector, embedding);
        if (score !== null) best.add({ documentId, position }, score);
      }
      const last = page.at(-1);
      if (!last || page.length < limit) return best.items();
      after = { documentId: last.documentId, position: last.position };
    }
  });
}

async function readResults(
  store: KnowledgeStore,
  workspaceId: string,
  best: (ChunkRef & { score: number })[],
): Promise<KnowledgeResult[]> {
  const scores = new Map(best.map(({ documentId, position, score }) => [`${documentId}/${position}`, score]));
  const found = await store.inWorkspace(workspaceId, ({ chunks }) => chunks.getChunks(best));
  return found.map((chunk) => ({
    ...chunk,
    score: scores.get(`${chunk.document.id}/${chunk.position}`) ?? 0,
  }));
}
