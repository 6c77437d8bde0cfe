import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { WebhookEvent } from '../../../src/domain/webhook.ts';
import { openConversation } from '../../labs/api-lab.ts';
import { askForApproval } from '../../labs/asked-call.ts';
import { startKnowledgeScene, type KnowledgeScene } from '../../labs/knowledge-scene.ts';
import { startVendorServer } from '../../servers/vendor-server.ts';

let scene: KnowledgeScene;
beforeAll(async () => {
  scene = await startKnowledgeScene();
  const events: WebhookEvent[] = [
    ...(['connection.needs_authorization', 'document.ready', 'document.failed'] as const),
    'action.decided',
  ];
  const body = { url: 'https://receiver.example', events };
  expect((await scene.api.call('POST', '/api/webhooks', { body })).status).toBe(201);
});
afterAll(() => scene.stop());
beforeEach(async () => {
  await scene.api.database.system('webhook_deliveries').delete();
  scene.api.calls.delivered.length = 0;
});

/** What webhooks were told, once it is stored and started. */
async function readTold() {
  const { database, calls, workspaceId } = scene.api;
  const rows = await database
    .system('webhook_deliveries')
    .orderBy('id')
    .select<{ id: string; type: string; data: object }[]>('id', 'type', 'data');
  expect(calls.delivered).toEqual(rows.map(({ id }) => ({ workspaceId, deliveryId: id })));
  return rows.map(({ type, data }) => ({ type, data }));
}

test('a connection whose credentials are refused tells of itself once', async () => {
  const { api } = scene;
  const vendor = await startVendorServer(() => ({ status: 401 }));
  onTestFinished(vendor.close);
  const auth = { type: 'bearer', token: 'planted-token' };
  const connection = { name: 'Server', provider: 'mcp', endpoint: vendor.url, auth };
  const { data } = await api.call('POST', '/api/connections', { body: connection });
  const { id: connectionId } = data.connection;
  const request = { workspaceId: api.workspaceId, connectionId };
  const opened = await api.services.connectionAccess.open(request);
  await opened.fetch(vendor.url);
  await opened.fetch(vendor.url);

  expect(await readTold()).toEqual([{ type: 'connection.needs_authorization', data: { connectionId } }]);
});

test('a document tells that it is ready, and a newer generation tells that it failed, once each', async () => {
  const { api } = scene;
  const { id: knowledgeBaseId } = await scene.createBase();
  const { data } = await scene.upload(knowledgeBaseId, 'A planted text.');
  await scene.process();
  await scene.process();
  const ids = { documentId: data.document.id, knowledgeBaseId };
  expect(await readTold()).toEqual([{ type: 'document.ready', data: ids }]);

  await api.call('POST', `/api/knowledge-bases/${knowledgeBaseId}/documents/${ids.documentId}/reprocess`);
  const again = api.calls.ingested.at(-1);
  if (!again) throw new Error('the document was not submitted again');
  const error = { code: 'DOCUMENT_UNREADABLE' as const, message: 'planted message' };
  await api.services.knowledge.ingestion.fail({ ...again, error });
  await api.services.knowledge.ingestion.fail({ ...again, error });

  expect(await readTold()).toEqual([
    { type: 'document.ready', data: ids },
    { type: 'document.failed', data: ids },
  ]);
});

test('an approval that is remembered tells of each call that it releases', async () => {
  const { api } = scene;
  const place = await openConversation(api);
  const first = await askForApproval(api, { place });
  const released = await askForApproval(api);
  const root = { root_turn_id: first.turnId };
  await api.database.system('pending_actions').where({ id: released.actionId }).update(root);
  const until = new Date(Date.now() + 60_000).toISOString();
  const remember = { tool: 'calculate', pins: {}, scope: 'conversation', until };
  await api.call('POST', `/api/pending-actions/${first.actionId}/decision`, {
    body: { decision: 'approve', remember },
  });

  const told = await readTold();
  expect(told.map(({ data }) => (data as { actionId: string }).actionId).toSorted()).toEqual(
    [first.actionId, released.actionId].toSorted(),
  );
});
