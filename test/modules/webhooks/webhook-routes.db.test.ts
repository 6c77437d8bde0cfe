import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openSecrets } from '../../../src/modules/webhooks/webhook-secrets.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { insertWebhook } from '../../labs/turn-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const url = 'https://receiver.example/hooks?key=planted';

async function create(body: object = {}) {
  const answer = await api.call('POST', '/api/webhooks', {
    body: { url, events: ['turn.settled'], ...body },
  });
  expect(answer.status).toBe(201);
  return answer.data;
}

async function readSecrets(id: string) {
  const row = await api.database.system('webhooks').where({ id }).first<{ sealed: Buffer }>();
  return openSecrets(api.services.keyRing, { id, workspaceId: api.workspaceId, sealed: row.sealed });
}

async function listAudit(subjectId: string) {
  await chainAudit(api.database.system);
  const events = api.database.system('audit_events').where({ subject_id: subjectId }).orderBy('seq');
  return events.select<{ type: string; payload: object }[]>('type', 'payload');
}

/** A webhook with one delivery. */
async function withDelivery(parts: Parameters<typeof insertWebhook>[1] = {}) {
  const webhookId = await api.database.inWorkspace(api.workspaceId, (trx) => insertWebhook(trx, parts));
  const listed = await api.call('GET', `/api/webhooks/${webhookId}/deliveries`);
  return { webhookId, deliveryId: listed.data.deliveries[0]?.id ?? '' };
}

describe('a new webhook', () => {
  test('is answered with its secret once, which is stored encrypted', async () => {
    const { webhook, secret } = await create({ events: ['turn.settled', 'document.ready', 'turn.settled'] });
    expect(webhook).toMatchObject({
      ...{ url, events: ['turn.settled', 'document.ready'], enabled: true, oldSecretsUntil: null },
      ...{ disabledAt: null, disabledReason: null },
    });
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    const found = await api.call('GET', `/api/webhooks/${webhook.id}`);
    expect(found.data).toEqual({ webhook });
    const stored: unknown = await api.database.system('webhooks').where({ id: webhook.id });
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
    expect(await readSecrets(webhook.id)).toEqual({ secret, old: [] });
    expect(await listAudit(webhook.id)).toMatchObject([
      {
        type: 'webhook.created',
        payload: { origin: 'https://receiver.example', events: ['turn.settled', 'document.ready'] },
      },
    ]);
  });

  test('takes a secret of its own', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect((await create({ secret })).secret).toBe(secret);
  });

  test.each([
    { url: 'ftp://receiver.example' },
    { url: 'receiver' },
    { events: [] },
    { events: ['turn.started'] },
    { secret: 'secret' },
    { secret: `whsec_${Buffer.alloc(23).toString('base64')}` },
    { secret: `whsec_${Buffer.alloc(65).toString('base64')}` },
    { enabled: true },
  ])('is refused with %j', async (body) => {
    const refused = await api.call('POST', '/api/webhooks', {
      body: { url, events: ['turn.settled'], ...body },
    });
    expect(refused).toMatchObject({ status: 400, error: { code: 'INVALID_INPUT' } });
  });

  test('is refused when the workspace has twenty', async () => {
    const { workspaceId, key } = await api.createWorkspace();
    await api.database.inWorkspace(workspaceId, async (trx) => {
      for (let count = 0; count < 20; count += 1) await insertWebhook(trx);
    });
    const body = { url, events: ['turn.settled'] };
    expect(await api.call('POST', '/api/webhooks', { key, body })).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    });
  });
});

describe('a webhook', () => {
  test('is listed newest first, and only in its workspace', async () => {
    const [first, second] = [await create(), await create()];
    const page = await api.call('GET', '/api/webhooks?limit=1');
    expect(page.data.webhooks).toEqual([second.webhook]);
    const next = await api.call('GET', `/api/webhooks?limit=1&cursor=${page.data.nextCursor ?? ''}`);
    expect(next.data.webhooks).toEqual([first.webhook]);
    const other = await api.createWorkspace();
    expect((await api.call('GET', '/api/webhooks', { key: other.key })).data.webhooks).toEqual([]);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const { status } = await api.call(method, `/api/webhooks/${first.webhook.id}${path}`, {
        key: other.key,
      });
      expect(status).toBe(404);
    }
  });

  test('needs the scope of each request', async () => {
    const { webhook } = await create();
    const reader = await api.createKey(api.workspaceId, ['webhooks:read']);
    const statusOf = async (method: string, path: string, body?: object) =>
      (await api.call(method, path, { key: reader, body })).status;
    expect(await statusOf('GET', `/api/webhooks/${webhook.id}`)).toBe(200);
    expect(await statusOf('GET', `/api/webhooks/${webhook.id}/deliveries`)).toBe(200);
    expect(await statusOf('DELETE', `/api/webhooks/${webhook.id}`)).toBe(403);
    expect(await statusOf('POST', `/api/webhooks/${webhook.id}/rotate-secret`, {})).toBe(403);
    expect(await statusOf('POST', '/api/webhooks', { url, events: ['turn.settled'] })).toBe(403);
    const other = await api.createKey(api.workspaceId, ['agents:read']);
    expect((await api.call('GET', '/api/webhooks', { key: other })).status).toBe(403);
  });

  test('is changed, disabled and enabled again; what waits is cancelled', async () => {
    const { webhookId, deliveryId } = await withDelivery({ status: 'pending' });
    const path = `/api/webhooks/${webhookId}`;
    const change = (body: object) => api.call('PATCH', path, { body });
    expect((await change({ url, events: ['action.decided'] })).data.webhook).toMatchObject({
      url,
      events: ['action.decided'],
    });
    const disabled = (await change({ enabled: false })).data.webhook;
    expect(disabled).toMatchObject({ enabled: false, disabledReason: 'A request disabled it.' });
    expect(disabled.disabledAt).not.toBeNull();
    const { data } = await api.call('GET', `${path}/deliveries/${deliveryId}`);
    expect(data.delivery).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
    expect(await api.call('POST', `${path}/deliveries/${deliveryId}/resend`)).toMatchObject({
      status: 409,
      error: { message: `Webhook ${webhookId} is disabled. Enable it first.` },
    });
    expect((await change({ enabled: true })).data.webhook).toMatchObject({
      enabled: true,
      disabledAt: null,
      disabledReason: null,
    });
    expect((await listAudit(webhookId)).map(({ type }) => type)).toEqual([
      'webhook.updated',
      'webhook.updated',
      'webhook.disabled',
      'webhook.updated',
    ]);
    expect((await change({})).status).toBe(400);
  });

  test('keeps its old secret beside the new one for the time of the overlap', async () => {
    const { webhook, secret } = await create();
    const rotate = (body?: object) => api.call('POST', `/api/webhooks/${webhook.id}/rotate-secret`, { body });
    const before = Date.now();
    const first = (await rotate()).data;
    expect(first.secret).not.toBe(secret);
    const day = 24 * 60 * 60 * 1000;
    const stored = await readSecrets(webhook.id);
    expect(stored).toMatchObject({ secret: first.secret, old: [{ secret }] });
    expect(stored.old[0]?.until).toBeGreaterThanOrEqual(before + day);
    expect(stored.old[0]?.until).toBeLessThanOrEqual(Date.now() + day);
    expect(Date.parse(first.webhook.oldSecretsUntil ?? '')).toBe(stored.old[0]?.until);

    const own = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const second = (await rotate({ secret: own, overlapMs: 0 })).data;
    expect(second.secret).toBe(own);
    // The secret before had no overlap; the one before that still signs along.
    expect(await readSecrets(webhook.id)).toEqual({ secret: own, old: stored.old });
    expect((await rotate({ overlapMs: -1 })).status).toBe(400);
    for (let count = 0; count < 4; count += 1) expect((await rotate()).status).toBe(200);
    expect(await rotate()).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  });

  test('is deleted with its secrets, and found no more', async () => {
    const { webhookId, deliveryId } = await withDelivery({ status: 'pending' });
    const path = `/api/webhooks/${webhookId}`;
    expect((await api.call('DELETE', path)).status).toBe(200);
    expect((await api.call('GET', path)).status).toBe(404);
    expect((await api.call('GET', `${path}/deliveries/${deliveryId}`)).status).toBe(404);
    expect((await api.call('DELETE', path)).status).toBe(404);
    const stored: unknown = await api.database.system('webhooks').where({ id: webhookId });
    expect(stored).toMatchObject([{ sealed: null, key_id: null }]);
    const ended = await api.database.system('webhook_deliveries').where({ id: deliveryId });
    expect(ended).toMatchObject([{ status: 'cancelled' }]);
    expect((await listAudit(webhookId)).map(({ type }) => type)).toEqual(['webhook.deleted']);
  });
});

describe('a channel of Slack', () => {
  const signingSecret = 'planted-signing-secret';

  async function createConnection(provider: string): Promise<string> {
    const body = { name: newId(), provider, auth: { type: 'bearer', token: 'xoxb-planted' } };
    return (await api.call('POST', '/api/connections', { body })).data.connection.id;
  }

  test('is created for approvals, changed and deleted, and its secret is stored encrypted', async () => {
    const connectionId = await createConnection('slack');
    const slack = { connectionId, channel: 'C024BE91L', signingSecret };
    const created = await api.call('POST', '/api/webhooks', { body: { slack } });
    const { webhook, secret } = created.data;
    expect({ status: created.status, secret }).toEqual({ status: 201, secret: null });
    expect(webhook).toMatchObject({
      url: null,
      slack: { connectionId, channel: 'C024BE91L' },
      events: ['turn.action_required', 'action.decided', 'action.expired'],
    });
    const path = `/api/webhooks/${webhook.id}`;
    const change = { slack: { channel: 'C1', signingSecret: 'planted-other-secret' } };
    expect((await api.call('PATCH', path, { body: change })).data.webhook.slack).toEqual({
      connectionId,
      channel: 'C1',
      approvers: [],
    });
    const stored: unknown = await api.database.system('webhooks').where({ id: webhook.id });
    expect(JSON.stringify([stored, await listAudit(webhook.id)])).not.toContain('planted');
    expect((await api.call('POST', `${path}/rotate-secret`)).error.code).toBe('CONFLICT');
    expect((await api.call('DELETE', path)).status).toBe(200);
    expect((await listAudit(webhook.id)).map(({ payload }) => payload)).toMatchObject([
      { connection_id: connectionId, channel: 'C024BE91L' },
      { slack: ['channel', 'signingSecret'], by: { actingFor: null } },
      { overlap_ms: 0 },
      { connection_id: connectionId, channel: 'C1' },
    ]);
  });

  test('is refused beside a URL, over a connection to another vendor, and with changes of a URL', async () => {
    const [connectionId, github] = [await createConnection('slack'), await createConnection('github')];
    const slack = { connectionId, channel: 'C1', signingSecret };
    const refused: [object, string][] = [
      [{ slack, url }, 'url'],
      [{ slack, events: ['turn.settled'] }, 'events'],
      [{ slack: { ...slack, connectionId: github } }, 'slack.connectionId'],
      [{ slack: { ...slack, connectionId: newId() } }, 'slack.connectionId'],
      [{ slack: { connectionId, channel: 'C1' } }, 'slack.signingSecret'],
      [{ url }, 'events'],
    ];
    for (const [body, field] of refused) {
      const { error } = await api.call('POST', '/api/webhooks', { body });
      expect(error).toMatchObject({ code: 'INVALID_INPUT', details: [{ field }] });
    }
    const ofSlack = (await api.call('POST', '/api/webhooks', { body: { slack } })).data.webhook.id;
    const ofUrl = (await create()).webhook.id;
    const changes: [string, object][] = [
      [ofSlack, { url }],
      [ofSlack, { events: ['turn.settled'] }],
      [ofSlack, { slack: {} }],
      [ofUrl, { slack: { channel: 'C2' } }],
    ];
    for (const [id, body] of changes) {
      expect((await api.call('PATCH', `/api/webhooks/${id}`, { body })).status).toBe(400);
    }
  });
});

describe('deliveries', () => {
  test('are listed newest first, by status', async () => {
    const { webhookId } = await withDelivery({ status: 'failed' });
    await api.database.inWorkspace(api.workspaceId, async (trx) => {
      const delivery = { webhook_id: webhookId, type: 'turn.settled', data: { turnId: 'one' } };
      await trx('webhook_deliveries').insert([delivery, { ...delivery, status: 'delivered' }]);
    });
    const list = async (query: string) =>
      (await api.call('GET', `/api/webhooks/${webhookId}/deliveries?${query}`)).data;
    const all = await list('');
    expect(all.deliveries.map(({ status }) => status).toSorted()).toEqual(['delivered', 'failed', 'pending']);
    const page = await list('limit=2');
    const rest = await list(`limit=2&cursor=${page.nextCursor ?? ''}`);
    expect([...page.deliveries, ...rest.deliveries]).toEqual(all.deliveries);
    expect((await list('status=pending')).deliveries).toMatchObject([
      { type: 'turn.settled', data: { turnId: 'one' }, attemptCount: 0, endedAt: null },
    ]);
    expect((await api.call('GET', `/api/webhooks/${webhookId}/deliveries?status=lost`)).status).toBe(400);
  });

  test('are sent again by hand under their id', async () => {
    const { webhookId, deliveryId } = await withDelivery({ status: 'failed' });
    // The workflow has the id in its name, as it is stored.
    const path = `/api/webhooks/${webhookId}/deliveries/${deliveryId.toUpperCase()}`;
    const resent = await api.call('POST', `${path}/resend`);
    expect(resent).toMatchObject({ status: 202, data: { delivery: { id: deliveryId, status: 'pending' } } });
    expect(api.calls.delivered.at(-1)).toEqual({ workspaceId: api.workspaceId, deliveryId });
    const other = await withDelivery();
    const wrong = `/api/webhooks/${other.webhookId}/deliveries/${deliveryId}`;
    expect((await api.call('GET', wrong)).status).toBe(404);
    expect((await api.call('POST', `${wrong}/resend`)).status).toBe(404);
    expect((await api.call('GET', `/api/webhooks/${webhookId}/deliveries/${newId()}`)).status).toBe(404);
  });
});
