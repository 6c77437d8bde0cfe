import { expect, test } from 'vitest';
import { createDocumentRepository } from '../../../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import { knowledgeBaseInputSchema } from '../../../../src/domain/knowledge.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { eventually } from '../../../labs/eventually.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const create = (name: string, input: object = {}) =>
  workspaces.inOwn((trx) =>
    createKnowledgeBaseRepository(trx).createKnowledgeBase(
      knowledgeBaseInputSchema.parse({ name, ...input }),
    ),
  );

test('a knowledge base is stored with the given fields and defaults', async () => {
  const base = await create('Manuals', {
    language: 'german',
    embeddingModel: 'openai/text-embedding-3-small',
  });
  expect(base).toMatchObject({
    name: 'Manuals',
    description: '',
    language: 'german',
    embeddingModel: 'openai/text-embedding-3-small',
    embeddingConnectionId: null,
    chunking: { maxCharacters: 1600, overlapCharacters: 200 },
    documentCount: 0,
  });
  expect(
    await workspaces.inOwn((trx) => createKnowledgeBaseRepository(trx).getKnowledgeBase(base.id)),
  ).toEqual(base);
});

test('an update replaces the given fields and keeps the others', async () => {
  const base = await create('To change', { embeddingModel: 'openai/a' });
  const change = { embeddingModel: null, chunking: { maxCharacters: 400, overlapCharacters: 0 } };
  const changed = await workspaces.inOwn((trx) =>
    createKnowledgeBaseRepository(trx).updateKnowledgeBase(base.id, change),
  );
  expect(changed).toMatchObject({ ...change, name: 'To change', language: 'english' });
});

test('the name of a knowledge base is unique in its workspace', async () => {
  await create('Taken');
  await expect(create('Taken')).rejects.toMatchObject({ code: 'CONFLICT' });
  const other = await create('Other');
  const rename = workspaces.inOwn((trx) =>
    createKnowledgeBaseRepository(trx).updateKnowledgeBase(other.id, { name: 'Taken' }),
  );
  await expect(rename).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('deleting a knowledge base deletes its documents and their files', async () => {
  const base = await create('To delete');
  const input = {
    knowledgeBaseId: base.id,
    name: 'a.txt',
    mediaType: 'text/plain' as const,
    bytes: Buffer.from('Text.'),
  };
  await workspaces.inOwn((trx) => createDocumentRepository(trx).createDocument(input));
  expect(
    (await workspaces.inOwn((trx) => createKnowledgeBaseRepository(trx).getKnowledgeBase(base.id)))
      .documentCount,
  ).toBe(1);
  await workspaces.inOwn((trx) => createKnowledgeBaseRepository(trx).deleteKnowledgeBase(base.id));
  const left = await workspaces.inOwn(async (trx) => [
    await trx('documents').where({ knowledge_base_id: base.id }).pluck<string[]>('id'),
    await trx('files').where({ name: 'a.txt' }).pluck<string[]>('id'),
  ]);
  expect(left).toEqual([[], []]);
});

test('a document that is uploaded while its knowledge base is deleted leaves no file behind', async () => {
  const base = await create('To delete meanwhile');
  const input = { knowledgeBaseId: base.id, name: 'late.txt', mediaType: 'text/plain' as const };
  const deleting = await workspaces.inOwn(async (trx) => {
    await createDocumentRepository(trx).createDocument({ ...input, bytes: Buffer.from('Text.') });
    const begun = workspaces.inOwn((other) =>
      createKnowledgeBaseRepository(other).deleteKnowledgeBase(base.id),
    );
    // Until the other transaction waits for this one.
    await eventually(
      () =>
        trx.raw<{ rows: unknown[] }>(
          'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid',
        ),
      ({ rows }) => rows.length > 0,
    );
    return { begun };
  });
  await deleting.begun;
  const left = await workspaces.inOwn((trx) =>
    trx('files').where({ name: 'late.txt' }).pluck<string[]>('id'),
  );
  expect(left).toEqual([]);
});

test('a knowledge base is not found in another workspace', async () => {
  const base = await create('Own');
  await workspaces.inForeign(async (trx) => {
    const repository = createKnowledgeBaseRepository(trx);
    await expect(repository.getKnowledgeBase(base.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(repository.updateKnowledgeBase(base.id, { name: 'Mine' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(repository.deleteKnowledgeBase(base.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await repository.listKnowledgeBases({ limit: 10 })).items).toEqual([]);
  });
  await expect(
    workspaces.inOwn((trx) => createKnowledgeBaseRepository(trx).getKnowledgeBase(newId())),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
