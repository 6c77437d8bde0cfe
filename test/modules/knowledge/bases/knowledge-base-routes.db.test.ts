import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { createDocx, createHandbook, docxParagraph } from '../../../fixtures/documents.ts';
import { startKnowledgeScene, type KnowledgeScene } from '../../../labs/knowledge-scene.ts';

let scene: KnowledgeScene;
let api: KnowledgeScene['api'];
let createBase: KnowledgeScene['createBase'];
let upload: KnowledgeScene['upload'];
let process: KnowledgeScene['process'];
let query: KnowledgeScene['query'];

beforeAll(async () => {
  scene = await startKnowledgeScene();
  ({ api, createBase, upload, process, query } = scene);
});
afterAll(() => scene.stop());
beforeEach(() => scene.embeddings.intercept(null));

test('a knowledge base can be created, read, listed, updated and deleted', async () => {
  const base = await createBase({ name: 'Manuals', language: 'german' });
  const path = `/api/knowledge-bases/${base.id}`;
  expect((await api.call('GET', path)).data.knowledgeBase).toEqual(base);
  expect((await api.call('GET', '/api/knowledge-bases')).data.knowledgeBases[0]).toEqual(base);
  const changed = await api.call('PATCH', path, { body: { description: 'All of them.' } });
  expect(changed.data.knowledgeBase).toMatchObject({ name: 'Manuals', description: 'All of them.' });
  expect((await api.call('POST', '/api/knowledge-bases', { body: { name: 'Manuals' } })).error.code).toBe(
    'CONFLICT',
  );
  expect((await api.call('DELETE', path)).status).toBe(200);
  expect((await api.call('GET', path)).status).toBe(404);
});

test('invalid input is refused with the names of the fields', async () => {
  const answers = await Promise.all(
    [
      { name: '' },
      { name: 'a', language: 'klingon' },
      { name: 'a', chunking: { maxCharacters: 400, overlapCharacters: 300 } },
      { name: 'a', embeddingConnectionId: newId() },
    ].map((body) => api.call('POST', '/api/knowledge-bases', { body })),
  );
  expect(
    answers.map(({ status, error }) => [status, (error.details as { field: string }[])[0]?.field]),
  ).toEqual([
    [400, 'name'],
    [400, 'language'],
    [400, 'chunking.overlapCharacters'],
    [400, 'embeddingConnectionId'],
  ]);
});

test('a search in an uploaded PDF of 60 pages finds the right page', async () => {
  const base = await createBase();
  const uploaded = await upload(base.id, await createHandbook(), {
    name: 'Handbook.txt',
    type: 'text/plain',
  });
  expect(uploaded.status).toBe(202);
  expect(uploaded.data.document).toMatchObject({ name: 'Handbook.txt', status: 'queued', pages: null });
  await process();
  const path = `/api/knowledge-bases/${base.id}/documents/${uploaded.data.document.id}`;
  expect((await api.call('GET', path)).data.document).toMatchObject({
    status: 'ready',
    mediaType: 'application/pdf',
    pages: 60,
    progress: { step: 'done' },
  });
  const { results } = await query(base.id, 'How many months does the warranty of the Heron 9 last?');
  expect(results[0]).toMatchObject({
    page: 37,
    document: { id: uploaded.data.document.id, name: 'Handbook.txt' },
    headings: [],
  });
  expect(results[0]?.text).toContain('forty-one months');
});

test('a DOCX document and a short text in JSON are found with their headings', async () => {
  const base = await createBase();
  const docx = createDocx(
    docxParagraph('Returns', 'Heading1') + docxParagraph('Send it back within nine days.'),
  );
  await upload(base.id, docx, { name: 'Returns.docx', type: 'application/octet-stream' });
  await process();
  const text = { name: 'Note', text: '# Opening hours\n\nWe open at seven.', mediaType: 'text/markdown' };
  const created = await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, { body: text });
  expect(created.status).toBe(202);
  await process();
  expect((await query(base.id, 'send back')).results[0]).toMatchObject({
    headings: ['Returns'],
    position: 0,
  });
  expect((await query(base.id, 'opening')).results[0]).toMatchObject({ headings: ['Opening hours'] });
  const listed = await api.call('GET', `/api/knowledge-bases/${base.id}/documents`);
  expect(listed.data.documents.map(({ name }) => name)).toEqual(['Note', 'Returns.docx']);
  expect((await api.call('GET', `/api/knowledge-bases/${base.id}`)).data.knowledgeBase.documentCount).toBe(2);
});

test('a document is processed again with the current settings of its knowledge base', async () => {
  const base = await createBase();
  const text = Array.from({ length: 40 }, (_, index) => `Sentence ${index} about penguins.`).join(' ');
  const { data } = await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, {
    body: { name: 'a', text },
  });
  await process();
  const chunking = { maxCharacters: 200, overlapCharacters: 0 };
  await api.call('PATCH', `/api/knowledge-bases/${base.id}`, { body: { chunking } });
  const path = `/api/knowledge-bases/${base.id}/documents/${data.document.id}`;
  const again = await api.call('POST', `${path}/reprocess`);
  expect([again.status, again.data.document.status]).toEqual([202, 'queued']);
  expect(api.calls.ingested.at(-1)).toMatchObject({ documentId: data.document.id, generation: 2 });
  expect((await query(base.id, 'penguins')).results.length).toBeGreaterThan(0);
  await process();
  const after = (await api.call('GET', path)).data.document;
  expect(after.status).toBe('ready');
  expect(after.chunkCount).toBeGreaterThan(4);
});

test('a document can be deleted, also while it is processed', async () => {
  const base = await createBase();
  const { data } = await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, {
    body: { name: 'a', text: 'Otters.' },
  });
  const path = `/api/knowledge-bases/${base.id}/documents/${data.document.id}`;
  expect((await api.call('DELETE', path)).status).toBe(200);
  await process();
  expect((await api.call('GET', path)).status).toBe(404);
  expect((await query(base.id, 'otters')).results).toEqual([]);
});

test('invalid uploads are refused with the error format of the API', async () => {
  const base = await createBase();
  const path = `/api/knowledge-bases/${base.id}/documents`;
  const headers = { authorization: `Bearer ${api.key}` };
  const broken = (body: string, type: string) =>
    api.call('POST', path, { body, headers: { ...headers, 'content-type': type } });
  const answers = [
    await upload(base.id, 'x', { field: 'document' }),
    await upload(base.id, ''),
    await upload(base.id, 'x', { type: 'image/png', name: 'a.png' }),
    await broken('--x\r\nnothing', 'multipart/form-data; boundary=x'),
    await broken('x', 'multipart/form-data'),
    await broken('--x--\r\n', 'multipart/form-data; boundary=x'),
    await broken('name=x', 'application/x-www-form-urlencoded'),
    await api.call('POST', path, { body: { name: 'a', text: 'x', mediaType: 'application/pdf' } }),
    await upload(newId(), 'x'),
  ];
  expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
    [400, 'INVALID_INPUT'],
    [400, 'INVALID_INPUT'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [400, 'INVALID_INPUT'],
    [400, 'INVALID_INPUT'],
    [400, 'INVALID_INPUT'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [400, 'INVALID_INPUT'],
    [404, 'NOT_FOUND'],
  ]);
  expect(api.logLines.join('\n')).not.toContain('"level":50');
});

test('a file of 20 MiB is accepted, a larger one is refused, and the limit of JSON stays small', async () => {
  const base = await createBase();
  const large = await upload(base.id, new Uint8Array(20 * 1024 * 1024).fill(0x61));
  expect(large.status).toBe(202);
  expect(large.data.document.bytes).toBe(20 * 1024 * 1024);
  const tooLarge = await upload(base.id, new Uint8Array(33 * 1024 * 1024).fill(0x61));
  expect([tooLarge.status, tooLarge.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(tooLarge.error.message).toContain('32 MiB');
  const json = await api.call('POST', `/api/knowledge-bases/${base.id}/documents`, {
    body: { name: 'a', text: 'x'.repeat(2 * 1024 * 1024) },
  });
  expect([json.status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});

test('only the endpoint for documents accepts files', async () => {
  const form = new FormData();
  form.append('file', new Blob(['x']), 'a.txt');
  const response = await fetch(`${api.url}/api/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}` },
    body: form,
  });
  expect(response.status).toBe(415);
});

test('the audit log has all changes of knowledge bases and documents, without their contents', async () => {
  const { key } = await api.createWorkspace();
  const call = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    api.call(method, `/api/knowledge-bases${path}`, { key, ...(body ? { body } : {}) });
  const { id } = (await call('POST', '', { name: 'Manuals' })).data.knowledgeBase;
  await call('PATCH', `/${id}`, { description: 'All of them.' });
  const text = { name: 'a', text: 'A secret.' };
  const { document } = (await call('POST', `/${id}/documents`, text)).data;
  await call('POST', `/${id}/documents/${document.id}/reprocess`);
  await call('DELETE', `/${id}/documents/${document.id}`);
  await call('DELETE', `/${id}/documents/${document.id}`);
  await call('POST', `/${newId()}/documents`, text);
  await call('DELETE', `/${id}`);
  const { data } = await api.call('GET', '/api/audit-events', { key });
  const { auditEvents } = data as unknown as {
    auditEvents: { type: string; subjectId: string; payload: object }[];
  };
  const file = { knowledge_base_id: id, name: 'a', media_type: 'text/plain', bytes: 9 };
  expect(auditEvents.map(({ type, subjectId, payload }) => [type, subjectId, payload]).reverse()).toEqual([
    ['knowledge_base.created', id, { name: 'Manuals', language: 'english', embedding_model: null }],
    ['knowledge_base.updated', id, { name: 'Manuals', changed: ['description'] }],
    ['document.created', document.id, file],
    ['document.reprocessed', document.id, file],
    ['document.deleted', document.id, file],
    ['knowledge_base.deleted', id, { name: 'Manuals', documents: 0 }],
  ]);
});

test('reading and writing knowledge bases require their scopes', async () => {
  const base = await createBase();
  const path = `/api/knowledge-bases/${base.id}`;
  const reader = await api.createKey(api.workspaceId, ['knowledge:read']);
  const stranger = await api.createKey(api.workspaceId, ['agents:read']);
  const answers = await Promise.all([
    api.call('POST', `${path}/query`, { key: reader, body: { query: 'x' } }),
    api.call('POST', `${path}/documents`, { key: reader, body: { name: 'a', text: 'a' } }),
    upload(base.id, 'x', { key: reader }),
    api.call('DELETE', path, { key: reader }),
    api.call('GET', path, { key: stranger }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403]);
});

test('the OpenAPI document says that a file can be sent', async () => {
  const response = await fetch(`${api.url}/api/openapi.json`);
  const document = (await response.json()) as {
    paths: Record<string, { post?: { requestBody?: { content: Record<string, unknown> } } }>;
  };
  const content = document.paths['/api/knowledge-bases/{id}/documents']?.post?.requestBody?.content ?? {};
  expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
  expect(JSON.stringify(document)).not.toContain('x-takes-file');
});
