import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startKnowledgeScene, type KnowledgeScene } from '../../../labs/knowledge-scene.ts';

let scene: KnowledgeScene;
let api: KnowledgeScene['api'];
let createBase: KnowledgeScene['createBase'];
let process: KnowledgeScene['process'];
let query: KnowledgeScene['query'];
let embeddings: KnowledgeScene['embeddings'];

beforeAll(async () => {
  scene = await startKnowledgeScene();
  ({ api, createBase, process, query, embeddings } = scene);
});
afterAll(() => scene.stop());
beforeEach(() => scene.embeddings.intercept(null));

test('with an embedding model texts of the same meaning are found, and both rankings count', async () => {
  const base = await createBase({ embeddingModel: 'compatible/words' });
  for (const [name, text] of [
    ['cars', 'An automobile needs fuel.'],
    ['cats', 'A kitten drinks milk.'],
    ['both', 'Vehicle tax.'],
  ]) {
    await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, { body: { name, text } });
    await process();
  }
  const cat = await query(base.id, 'cat', 1);
  expect(cat.results.map(({ document }) => document.name)).toEqual(['cats']);
  const tax = await query(base.id, 'car tax');
  expect(tax.results[0]?.document.name).toBe('both');
  expect(tax.results[0]?.score).toBeCloseTo(2 / 61, 10);
});

test('a query without an embedding is searched by words, and the answer says so', async () => {
  const base = await createBase({ embeddingModel: 'compatible/words' });
  await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, {
    body: { name: 'a', text: 'Grey whales dive.' },
  });
  await process();
  for (const embedding of [[], Array(64).fill(0) as number[]]) {
    const data = [{ object: 'embedding', index: 0, embedding }];
    embeddings.intercept(() => Promise.resolve({ status: 200, body: { object: 'list', data } }));
    const { results, notice } = await query(base.id, 'whale');
    expect(results).toHaveLength(1);
    expect(notice).toContain('Searched by words only');
  }
});

test('embeddings of differing lengths, and embeddings that cannot be stored, are refused with a reason', async () => {
  const base = await createBase({ embeddingModel: 'compatible/words' });
  const text = `${'One. '.repeat(400)}\n\n${'Two. '.repeat(400)}`;
  await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, { body: { name: 'a', text } });
  for (const lengths of [
    [3, 4, 5, 6],
    [0, 0, 0, 0],
    [20_000, 20_000, 20_000, 20_000],
  ]) {
    embeddings.intercept(({ texts }) => {
      const data = texts.map((_text, index) => ({
        ...{ object: 'embedding', index },
        embedding: Array(lengths[index]).fill(0.5) as number[],
      }));
      return Promise.resolve({ status: 200, body: { object: 'list', data } });
    });
    await expect(process()).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' });
  }
});

test('a query with characters that Postgres would refuse is accepted', async () => {
  const base = await createBase();
  await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, {
    body: { name: 'a', text: 'Orcas hunt.' },
  });
  await process();
  const { results } = await api.services.knowledge.search({
    workspaceId: api.workspaceId,
    knowledgeBaseId: base.id,
    query: 'orca \0 \ud800',
    signal: new AbortController().signal,
  });
  expect(results).toHaveLength(1);
});

test('a search falls back to words when the model fails, and the answer says so', async () => {
  const base = await createBase({ embeddingModel: 'compatible/words' });
  await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, {
    body: { name: 'a', text: 'Blue whales sing.' },
  });
  await process();
  embeddings.intercept(() => Promise.resolve({ status: 500, body: { error: { message: 'broken' } } }));
  const { results, notice } = await query(base.id, 'whale');
  expect(results).toHaveLength(1);
  expect(notice).toContain('Searched by words only');
});
