import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { sweepDocuments } from '../../../src/modules/knowledge/document-sweep.ts';
import { createDocumentRepository } from '../../../src/modules/knowledge/document-repository.ts';
import { createDocumentSweepRepository } from '../../../src/modules/knowledge/document-sweep-repository.ts';
import { createKnowledgeBaseRepository } from '../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import { knowledgeBaseInputSchema } from '../../../src/domain/knowledge.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import type { DocumentGeneration } from '../../../src/modules/knowledge/document-contract.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);

beforeEach(() => workspaces.database.system('documents').delete());

/** Stores documents that were last changed an hour ago, and one that is a minute younger. */
async function storeDocuments(count: number) {
  return workspaces.inOwn(async (trx) => {
    const input = knowledgeBaseInputSchema.parse({ name: newId() });
    const { id } = await createKnowledgeBaseRepository(trx).createKnowledgeBase(input);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const bytes = new TextEncoder().encode('Text.');
      const file = { knowledgeBaseId: id, name: 'a.txt', mediaType: 'text/plain' as const, bytes };
      const { document } = await createDocumentRepository(trx).createDocument(file);
      ids.push(document.id);
    }
    const hourAgo = `now() - interval '1 hour'`;
    await trx('documents').update({ updated_at: trx.raw(hourAgo) });
    const youngest = ids.at(-1) ?? '';
    await trx('documents')
      .where({ id: youngest })
      .update({ updated_at: trx.raw(`${hourAgo} + interval '1 minute'`) });
    return { older: ids.slice(0, -1), youngest };
  });
}

/** Runs one sweep, with a Temporal in which the given documents have a workflow. */
async function sweep(running: string[], refuse: (documentId: string) => boolean = () => false) {
  const started: string[] = [];
  const failed: string[] = [];
  const dependencies = {
    sweep: createDocumentSweepRepository(workspaces.database.system),
    ingestion: {
      fail: ({ documentId }: DocumentGeneration) => Promise.resolve(void failed.push(documentId)),
    } as never,
    engine: {
      startIngestion: ({ documentId }: DocumentGeneration) => {
        if (refuse(documentId)) return Promise.reject(new Error('refused'));
        if (!running.includes(documentId)) started.push(documentId);
        return Promise.resolve();
      },
      findIngestion: ({ documentId }: DocumentGeneration) =>
        Promise.resolve<'running' | 'missing'>(running.includes(documentId) ? 'running' : 'missing'),
    },
  };
  await sweepDocuments(dependencies, { isStopped: () => false, logger: pino({ level: 'silent' }) });
  return { started, failed };
}

test('a document that was never started is started in one sweep, however many older ones are at work', async () => {
  const { older, youngest } = await storeDocuments(151);
  await workspaces.database.system('documents').whereIn('id', older).update({ status: 'processing' });
  expect(await sweep(older)).toEqual({ started: [youngest], failed: [] });
});

test('a document is started although all older ones wait in the queue of Temporal', async () => {
  const { older, youngest } = await storeDocuments(151);
  expect((await sweep(older)).started).toEqual([youngest]);
  // The documents that wait are known to have a workflow now, and no later sweep starts them.
  expect((await sweep([])).started).toEqual([]);
});

test('documents that cannot be started leave the others their turn', async () => {
  const { older, youngest } = await storeDocuments(41);
  const started = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const swept = await sweep([], (id) => older.includes(id));
    for (const id of swept.started) started.add(id);
    const hourAgo = workspaces.database.system.raw(`swept_at - interval '1 hour'`);
    await workspaces.database.system('documents').whereNotNull('swept_at').update({ swept_at: hourAgo });
  }
  expect([...started]).toEqual([youngest]);
});

test('a document whose workflow was lost is started again', async () => {
  const { older, youngest } = await storeDocuments(3);
  await workspaces.database.system('documents').update({ status: 'processing' });
  expect((await sweep([youngest])).started.toSorted()).toEqual(older.toSorted());
});
