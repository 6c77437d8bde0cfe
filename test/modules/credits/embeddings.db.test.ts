import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCreditSweepRepository } from '../../../src/modules/credits/credit-sweep-repository.ts';
import { chunksPerEmbedding } from '../../../src/modules/knowledge/document-contract.ts';
import { startKnowledgeScene, type KnowledgeScene } from '../../labs/knowledge-scene.ts';

let scene: KnowledgeScene;
beforeAll(async () => {
  scene = await startKnowledgeScene();
});
afterAll(() => scene.stop());

const embeddingModel = 'compatible/words';

/** A text is one token of the embedding server: it costs 1,000 credits. */
const prices = { [embeddingModel]: { input: 1000, output: 0 } };

const setPrices = (own: object) => scene.api.call('PUT', '/api/prices', { body: { prices: own } });

afterEach(async () => {
  scene.embeddings.intercept(null);
  for (const table of ['budgets', 'credit_entries', 'workspace_prices'])
    await scene.api.services.database.system(table).delete();
});

async function addDocument(text: string) {
  const base = await scene.createBase({ embeddingModel });
  const body = { name: 'facts', text };
  await scene.api.call('POST', `/api/knowledge-bases/${base.id}/documents`, { body });
  return base.id;
}

async function setBudget(credits: number) {
  const body = { scope: 'workspace', period: 'total', credits };
  return (await scene.api.call('POST', '/api/budgets', { body })).data.budget;
}

const readBudget = async (id: string) => (await scene.api.call('GET', `/api/budgets/${id}`)).data.budget;

/** Reads the document that was submitted last, and returns the step that embeds its first batch. */
async function toEmbedding() {
  const document = scene.api.calls.ingested.at(-1);
  if (!document) throw new Error('no document was submitted for processing');
  const { ingestion } = scene.api.services.knowledge;
  const { signal } = new AbortController();
  await ingestion.read(document, signal);
  return () => ingestion.embed({ ...document, embeddingModel, from: 0, to: chunksPerEmbedding }, signal);
}

test('the texts of a document and a search cost what their tokens do', async () => {
  await setPrices(prices);
  const baseId = await addDocument(`${'One. '.repeat(400)}\n\n${'Two. '.repeat(400)}`);
  await scene.process();
  const chunks = scene.embeddings.requests.at(-1)?.texts.length ?? 0;
  expect(chunks).toBeGreaterThan(1);
  await scene.query(baseId, 'two');
  const { data } = await scene.api.call('GET', '/api/usage?groupBy=kind,model');
  expect(data.usage).toMatchObject([
    { kind: 'embedding', model: embeddingModel, embeddingCalls: 2, credits: String((chunks + 1) * 1000) },
  ]);
});

test('two attempts at a batch cost what one of them does', async () => {
  await setPrices(prices);
  const budget = await setBudget(1_000_000);
  await addDocument('A cat drinks milk.');
  const embed = await toEmbedding();
  const both = Promise.withResolvers<undefined>();
  let requests = 0;
  scene.embeddings.intercept(() => {
    requests += 1;
    if (requests === 2) both.resolve(undefined);
    return both.promise;
  });
  await Promise.all([embed(), embed()]);
  await embed();
  expect(requests).toBe(2);
  expect(await readBudget(budget.id)).toMatchObject({ spent: '1000', reserved: '0' });
});

test('texts that a budget does not allow are not sent, and a search says so', async () => {
  await setPrices(prices);
  const baseId = await addDocument('A cat drinks milk.');
  await scene.process();
  await addDocument('A dog drinks water.');
  const embed = await toEmbedding();
  const budget = await setBudget(10_000);
  const sent = scene.embeddings.requests.length;
  const details = { budgetId: budget.id, credits: '10000', spent: '1000', reserved: '0' };
  await expect(embed()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', details });
  const refused = await scene.api.call('POST', `/api/knowledge-bases/${baseId}/query`, {
    body: { query: 'cat' },
  });
  expect(refused).toMatchObject({ status: 402, error: { code: 'BUDGET_EXCEEDED', details } });
  expect(scene.embeddings.requests).toHaveLength(sent);
});

test('under a budget a model without a price embeds nothing, and searches use words', async () => {
  const baseId = await addDocument('A cat drinks milk.');
  await scene.process();
  await addDocument('A dog drinks water.');
  const embed = await toEmbedding();
  await setBudget(1_000_000);
  await expect(embed()).rejects.toMatchObject({ code: 'PRICE_UNKNOWN' });
  const { results, notice } = await scene.query(baseId, 'cat');
  expect(results).toHaveLength(1);
  expect(notice).toContain('has no price');
});

test('the reservation of a call that failed is given back, and that of a lost attempt when its document is ready', async () => {
  await setPrices(prices);
  const budget = await setBudget(1_000_000);
  await addDocument('A cat drinks milk.');
  const embed = await toEmbedding();
  scene.embeddings.intercept(() => Promise.resolve({ status: 400, body: { error: { message: 'no' } } }));
  await expect(embed()).rejects.toThrow();
  expect(await readBudget(budget.id)).toMatchObject({ spent: '0', reserved: '0' });

  const { system } = scene.api.services.database;
  await system('credit_entries').update({ status: 'reserved', credits: 500, counted: false });
  const sweep = () => createCreditSweepRepository(system).releaseLeft(-1000);
  await sweep();
  expect(await readBudget(budget.id)).toMatchObject({ reserved: '500' });
  await system('documents').update({ status: 'ready' });
  await sweep();
  expect(await readBudget(budget.id)).toMatchObject({ reserved: '0' });
});
