import { expect } from 'vitest';
import { chunksPerEmbedding } from '../../src/modules/knowledge/document-contract.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { startEmbeddingServer } from '../servers/embedding-server.ts';
import { startApi, type ApiAnswer } from './api-lab.ts';

/** Starts the API and an embedding server, with the calls that tests of knowledge bases make. */
export async function startKnowledgeScene(environment: Record<string, string> = {}) {
  const embeddings = await startEmbeddingServer();
  const api = await startApi(
    { checkEmbeddingModel: () => null },
    { HOLDFAST_COMPATIBLE_BASE_URL: embeddings.baseUrl, ...environment },
  );

  async function createBase(input: object = {}) {
    const answer = await api.call('POST', '/api/knowledge-bases', { body: { name: newId(), ...input } });
    expect(answer.status).toBe(201);
    return answer.data.knowledgeBase;
  }

  async function upload(
    baseId: string,
    content: Uint8Array | string,
    { name = 'file.txt', type = 'text/plain', field = 'file', key = api.key } = {},
  ): Promise<ApiAnswer> {
    const form = new FormData();
    form.append(field, new Blob([content], { type }), name);
    const response = await fetch(`${api.url}/api/knowledge-bases/${baseId}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    const { data, error } = (await response.json()) as ApiAnswer;
    return { status: response.status, headers: response.headers, data, error };
  }

  /** Processes the last submitted document as its workflow does. */
  async function process(): Promise<void> {
    const document = api.calls.ingested.at(-1);
    if (!document) throw new Error('no document was submitted for processing');
    const { ingestion } = api.services.knowledge;
    const { signal } = new AbortController();
    const reading = await ingestion.read(document, signal);
    if (!reading || reading === 'busy') return;
    const { embeddingModel, chunks } = reading;
    for (let from = 0; embeddingModel !== null && from < chunks; from += chunksPerEmbedding) {
      await ingestion.embed({ ...document, embeddingModel, from, to: from + chunksPerEmbedding }, signal);
    }
    await ingestion.finish({ ...document, embeddingModel });
  }

  async function query(baseId: string, text: string, limit = 3) {
    const answer = await api.call('POST', `/api/knowledge-bases/${baseId}/query`, {
      body: { query: text, limit },
    });
    expect(answer.status).toBe(200);
    return answer.data;
  }

  return {
    api,
    embeddings,
    createBase,
    upload,
    process,
    query,
    stop: async () => {
      await api.stop();
      await embeddings.close();
    },
  };
}

export type KnowledgeScene = Awaited<ReturnType<typeof startKnowledgeScene>>;
