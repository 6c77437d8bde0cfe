import { expect, onTestFinished, test } from 'vitest';
import { createDocumentRepository } from '../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import type { DocumentMediaType } from '../../src/domain/document-media-type.ts';
import { knowledgeBaseInputSchema, type DocumentStatus } from '../../src/domain/knowledge.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createIngestionEngine } from '../../src/modules/knowledge/ingestion-engine.ts';
import {
  toIngestionWorkflowId,
  type DocumentGeneration,
} from '../../src/modules/knowledge/document-contract.ts';
import { eventually } from '../labs/eventually.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { startEmbeddingServer } from '../servers/embedding-server.ts';

const lab = openForTests(async () => {
  const embeddings = await startEmbeddingServer();
  const environment = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: embeddings.baseUrl };
  const turnLab = await startTurnLab({ worker: false, environment });
  const close = async () => {
    await turnLab.close();
    await embeddings.close();
  };
  return { ...turnLab, embeddings, close };
});

async function createTenant(embeddingModel: string | null = null) {
  const workspaceId = newId();
  await lab.database.system('workspaces').insert({ id: workspaceId, name: 'Tenant' });
  const chunking = { maxCharacters: 200, overlapCharacters: 0 };
  const input = knowledgeBaseInputSchema.parse({ name: 'Base', embeddingModel, chunking });
  const { id: knowledgeBaseId } = await lab.database.inWorkspace(workspaceId, (trx) =>
    createKnowledgeBaseRepository(trx).createKnowledgeBase(input),
  );
  const engine = createIngestionEngine({ client: lab.client, taskQueue: lab.taskQueue });
  return {
    workspaceId,
    upload: async (text: string, mediaType: DocumentMediaType): Promise<DocumentGeneration> => {
      const file = { knowledgeBaseId, name: 'A document', mediaType, bytes: new TextEncoder().encode(text) };
      const { document, generation } = await lab.database.inWorkspace(workspaceId, (trx) =>
        createDocumentRepository(trx).createDocument(file),
      );
      const stored = { workspaceId, documentId: document.id, generation };
      await engine.startIngestion(stored, 'A document');
      return stored;
    },
  };
}

const resultOf = (document: DocumentGeneration) =>
  lab.client.workflow.getHandle(toIngestionWorkflowId(document)).result() as Promise<unknown>;

async function countDocuments(workspaceId: string, statuses: DocumentStatus[]): Promise<number> {
  const ofWorkspace = lab.database.system('documents').where({ workspace_id: workspaceId });
  const found = await ofWorkspace.whereIn('status', statuses);
  return found.length;
}

/** Takes the parser of HTML many seconds: each end of a paragraph is looked for among all open elements. */
const hostilePage = '<div>'.repeat(2_900) + '</p>'.repeat(2_000_000);

test('12 hostile pages of a tenant hold no small document of another one', async () => {
  const [hostile, other] = [await createTenant(), await createTenant()];
  const worker = await lab.startWorkerProcess();
  onTestFinished(worker.kill);
  const warm = await other.upload('Warm it.', 'text/plain');
  await resultOf(warm);
  for (let count = 0; count < 12; count += 1) await hostile.upload(hostilePage, 'text/html');
  await eventually(
    () => countDocuments(hostile.workspaceId, ['processing']),
    (count) => count > 0,
  );

  const small = await other.upload('9 bytes.\n', 'text/plain');
  expect(await resultOf(small)).toEqual({ outcome: 'ready', chunks: 1 });
  // Pages of the hostile tenant still wait, and no more than one of them takes one of the two places for reading.
  expect(await countDocuments(hostile.workspaceId, ['queued'])).toBeGreaterThan(0);
  expect(await countDocuments(hostile.workspaceId, ['processing'])).toBeLessThanOrEqual(1);
}, 120_000);

test('documents that wait for a model of their tenant hold no document of another one', async () => {
  const [waiting, other] = [await createTenant('openai/words'), await createTenant()];
  const worker = await lab.startWorkerProcess();
  onTestFinished(worker.kill);
  lab.embeddings.intercept(() => new Promise(() => undefined));
  for (let count = 0; count < 12; count += 1) await waiting.upload('A text.', 'text/plain');
  await eventually(
    () => lab.embeddings.requests.length,
    (count) => count >= 4,
  );
  const small = await other.upload('9 bytes.\n', 'text/plain');
  expect(await resultOf(small)).toEqual({ outcome: 'ready', chunks: 1 });
  expect(await countDocuments(waiting.workspaceId, ['ready', 'failed'])).toBe(0);
}, 120_000);
