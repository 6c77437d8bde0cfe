import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createDocumentRepository } from '../../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import {
  chunksPerEmbedding,
  toIngestionWorkflowId,
  type DocumentGeneration,
  type DocumentIngestionResult,
} from '../../../src/modules/knowledge/document-contract.ts';
import type { DocumentMediaType } from '../../../src/domain/document-media-type.ts';
import { knowledgeBaseInputSchema, type KnowledgeDocument } from '../../../src/domain/knowledge.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createIngestionEngine } from '../../../src/modules/knowledge/ingestion-engine.ts';
import type { DocumentIngestionProgress } from '../../../src/modules/knowledge/document-contract.ts';
import { eventually } from '../../labs/eventually.ts';
import { readHistoryTexts, recordWorkflow } from '../../labs/histories.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { createHandbook } from '../../fixtures/documents.ts';
import { startEmbeddingServer, type EmbeddingServer } from '../../servers/embedding-server.ts';

let lab: TurnLab;
let embeddings: EmbeddingServer;

beforeAll(async () => {
  embeddings = await startEmbeddingServer();
  lab = await startTurnLab({
    worker: false,
    environment: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: embeddings.baseUrl },
  });
});
afterAll(async () => {
  await lab.close();
  await embeddings.close();
});
beforeEach(() => {
  embeddings.intercept(null);
  embeddings.requests.length = 0;
});

async function startWorker() {
  const worker = await lab.startWorkerProcess();
  onTestFinished(worker.kill);
  return worker;
}

interface Ingested extends DocumentGeneration {
  knowledgeBaseId: string;
}

async function createBase(embeddingModel: string | null): Promise<string> {
  const chunking = { maxCharacters: 200, overlapCharacters: 0 };
  const input = knowledgeBaseInputSchema.parse({ name: newId(), embeddingModel, chunking });
  const base = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createKnowledgeBaseRepository(trx).createKnowledgeBase(input),
  );
  return base.id;
}

async function store(
  knowledgeBaseId: string,
  content: Uint8Array | string,
  mediaType: DocumentMediaType = 'text/plain',
) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const { document, generation } = await inDocuments((documents) =>
    documents.createDocument({ knowledgeBaseId, name: 'The *document*', mediaType, bytes }),
  );
  return { workspaceId: lab.workspaceId, documentId: document.id, generation, knowledgeBaseId };
}

const inDocuments = <Result>(
  run: (documents: ReturnType<typeof createDocumentRepository>) => Promise<Result>,
) => lab.database.inWorkspace(lab.workspaceId, (trx) => run(createDocumentRepository(trx)));

function start({ workspaceId, documentId, generation }: Ingested): Promise<void> {
  const engine = createIngestionEngine({ client: lab.client, taskQueue: lab.taskQueue });
  return engine.startIngestion({ workspaceId, documentId, generation }, 'The document');
}

const handleOf = (document: Ingested) => lab.client.workflow.getHandle(toIngestionWorkflowId(document));
const resultOf = (document: Ingested) => handleOf(document).result() as Promise<DocumentIngestionResult>;
const read = (document: Ingested): Promise<KnowledgeDocument> =>
  inDocuments((documents) => documents.getDocument(document));

/** Facts that make so many chunks of one sentence each. */
function facts(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `Fact number ${index} is about ${'walnut '.repeat(22)}trees.`,
  ).join('\n\n');
}

function embeddedTexts(): string[] {
  return embeddings.requests.flatMap(({ texts }) => texts);
}

test('a worker that is killed while it embeds is replaced by another, and nothing that was stored is embedded again', async () => {
  const count = chunksPerEmbedding * 3 + 10;
  const document = await store(await createBase('openai/words'), facts(count));
  let calls = 0;
  const third = Promise.withResolvers<null>();
  embeddings.intercept(() => {
    calls += 1;
    if (calls !== 3) return Promise.resolve(undefined);
    third.resolve(null);
    return new Promise(() => undefined);
  });
  const first = await startWorker();
  await start(document);
  await third.promise;
  const progress = await handleOf(document).query<DocumentIngestionProgress>('documentProgress');
  expect(progress).toMatchObject({
    step: 'embedding',
    chunks: count,
    embeddedChunks: 2 * chunksPerEmbedding,
  });
  expect(await read(document)).toMatchObject({
    status: 'processing',
    progress: { step: 'embedding', chunks: count, embeddedChunks: 2 * chunksPerEmbedding },
  });
  await Promise.all([first.kill(), startWorker()]);

  expect(await resultOf(document)).toEqual({ outcome: 'ready', chunks: count });
  expect(await read(document)).toMatchObject({ status: 'ready', chunkCount: count, error: null });
  // Only the batch whose answer was lost is sent again.
  expect(embeddings.requests.map(({ texts }) => texts.length)).toEqual([64, 64, 64, 64, 10]);
  expect(new Set(embeddedTexts()).size).toBe(count);
  const texts = readHistoryTexts(await handleOf(document).fetchHistory()).join('\n');
  expect(texts).not.toContain('walnut');
  await recordWorkflow(lab, 'document-ingestion', toIngestionWorkflowId(document));
}, 120_000);

describe('with a worker', () => {
  beforeAll(async () => {
    await lab.startWorker();
  });

  test('a 60-page PDF is found by an agent in a real turn, with the page', async () => {
    const document = await store(await createBase(null), await createHandbook(), 'application/pdf');
    await start(document);
    expect(await resultOf(document)).toMatchObject({ outcome: 'ready' });
    const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
    const scene = await lab.scene({
      tools: [
        {
          type: 'knowledge_base',
          name: 'search_handbook',
          description: 'Searches the handbook.',
          schema,
          config: { knowledgeBaseId: document.knowledgeBaseId },
        },
      ],
    });
    const query = 'How long is the warranty of the Heron 9?';
    scene.reply(
      { toolCalls: [{ name: 'search_handbook', arguments: { query } }] },
      { text: 'Forty-one months, see page 37.' },
    );
    const turn = await lab.waitForOutcome(await scene.say(query));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Forty-one months, see page 37.' });
    expect(turn.toolCalls).toMatchObject([{ name: 'search_handbook', status: 'succeeded' }]);
    expect(await lab.readLedger(turn.id)).toMatchObject([{ effect: 'read_only' }]);
    const told = scene.requests()[1]?.body.messages.at(-1)?.content ?? '';
    const [best = ''] = told.split('[2]');
    expect(best).toContain('[1] Source: The *document*, page 37');
    expect(best).toContain('forty-one months');
  }, 120_000);

  test('a document that can not be read fails with the reason', async () => {
    const document = await store(await createBase(null), 'Only text.', 'application/pdf');
    await start(document);
    expect(await resultOf(document)).toEqual({ outcome: 'failed', chunks: 0 });
    expect(await read(document)).toMatchObject({
      status: 'failed',
      error: {
        code: 'DOCUMENT_UNREADABLE',
        message: 'The file was declared as a PDF, but does not begin with a PDF header.',
      },
    });
  });

  test('a document that is deleted or processed anew while it is embedded leaves its workflow nothing to do', async () => {
    const base = await createBase('openai/words');
    const gate = Promise.withResolvers<undefined>();
    embeddings.intercept(() => gate.promise);
    const [deleted, renewed] = [await store(base, facts(2)), await store(base, facts(3))];
    await Promise.all([start(deleted), start(renewed)]);
    await eventually(
      () => embeddings.requests.length,
      (count) => count === 2,
    );
    await inDocuments((documents) => documents.deleteDocument(deleted));
    const { generation } = await inDocuments((documents) => documents.reprocessDocument(renewed));
    await start({ ...renewed, generation });
    gate.resolve(undefined);

    const results = await Promise.all([
      resultOf(deleted),
      resultOf(renewed),
      resultOf({ ...renewed, generation }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['superseded', 'superseded', 'ready']);
    expect(await read(renewed)).toMatchObject({ status: 'ready', chunkCount: 3 });
  });

  test('a model that is busy is waited for, one that refuses fails the document', async () => {
    const base = await createBase('openai/words');
    let calls = 0;
    embeddings.intercept(() => {
      calls += 1;
      return Promise.resolve(calls === 1 ? { status: 503, body: { error: { message: 'busy' } } } : undefined);
    });
    const patient = await store(base, facts(1));
    await start(patient);
    expect(await resultOf(patient)).toEqual({ outcome: 'ready', chunks: 1 });
    embeddings.intercept(() => Promise.resolve({ status: 401, body: { error: { message: 'no' } } }));
    const refused = await store(base, facts(1));
    await start(refused);
    expect(await resultOf(refused)).toEqual({ outcome: 'failed', chunks: 0 });
    expect(await read(refused)).toMatchObject({ status: 'failed', error: { code: 'MODEL_AUTHENTICATION' } });
    await recordWorkflow(lab, 'document-ingestion-failed', toIngestionWorkflowId(refused));
  });

  test('however many documents wait for their model, turns go on', async () => {
    const base = await createBase('openai/words');
    const gate = Promise.withResolvers<undefined>();
    embeddings.intercept(() => gate.promise);
    const documents: Ingested[] = [];
    for (let count = 0; count < loadConfig({}).workerSlots.activities + 5; count += 1) {
      documents.push(await store(base, facts(1)));
    }
    await Promise.all(documents.map(start));
    // Waits until no more calls start.
    const seen: number[] = [];
    await eventually(
      () => seen.push(embeddings.requests.length),
      () => seen.at(-1) !== 0 && seen.at(-1) === seen.at(-60),
    );
    const scene = await lab.scene();
    scene.reply({ text: 'Here I am.' });
    expect(await lab.waitForOutcome(await scene.say('Are you there?'))).toMatchObject({
      outcome: 'completed',
    });
    expect(embeddings.requests.length).toBeLessThan(documents.length);
    gate.resolve(undefined);
    const results = await Promise.all(documents.map(resultOf));
    expect(results.every(({ outcome }) => outcome === 'ready')).toBe(true);
    for (const document of documents) {
      const { events } = await handleOf(document).fetchHistory();
      if (!events?.some(({ timerStartedEventAttributes: timer }) => timer)) continue;
      await recordWorkflow(lab, 'document-ingestion-busy', toIngestionWorkflowId(document));
      break;
    }
  }, 120_000);

  test('the sweeper starts what was never started, and notes what was ended by force', async () => {
    const base = await createBase(null);
    const [forgotten, killed] = [await store(base, facts(1)), await store(base, facts(1))];
    await lab.client.workflow.start('documentIngestion', {
      taskQueue: `${lab.taskQueue}-nobody`,
      workflowId: toIngestionWorkflowId(killed),
      args: [killed],
    });
    await handleOf(killed).terminate();
    await lab.database.inWorkspace(lab.workspaceId, (trx) =>
      trx('documents')
        .whereIn('id', [forgotten.documentId, killed.documentId])
        .update({ updated_at: trx.raw(`now() - interval '5 minutes'`) }),
    );
    await lab.database
      .system('documents')
      .where({ id: killed.documentId })
      .update({ started_generation: killed.generation });
    await lab.sweep();
    expect(await resultOf(forgotten)).toEqual({ outcome: 'ready', chunks: 1 });
    expect(await read(killed)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL' } });
  });
});
