import { beforeAll, describe, expect, test } from 'vitest';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import type { AuditEvent, AuditType } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { type Api } from '../../labs/api-lab.ts';
import { runAsOwner } from '../../labs/database-login.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;

beforeAll(async () => {
  api = await shareApi();
});

interface AuditPage {
  auditEvents: AuditEvent[];
  nextCursor: number | null;
}

async function list(query = '', key?: string): Promise<AuditPage> {
  const { data } = await api.call('GET', `/api/audit-events${query}`, key === undefined ? {} : { key });
  return data as unknown as AuditPage;
}

async function record(workspaceId: string, type: AuditType, subjectId: string | null = null): Promise<void> {
  await api.database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).record({ type, subjectId, payload: { note: 'x' } }),
  );
}

describe('GET /api/audit-events', () => {
  test('lists the events of its own workspace, newest first, page by page', async () => {
    const { workspaceId, key } = await api.createWorkspace();
    for (let index = 0; index < 5; index++) await record(workspaceId, 'agent.configured');
    const first = await list('?limit=3', key);
    const second = await list(`?limit=3&cursor=${first.nextCursor}`, key);
    expect([...first.auditEvents, ...second.auditEvents].map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1]);
    expect(second.nextCursor).toBeNull();
    expect((await list()).auditEvents).toEqual([]);
  });

  test('filters events by type, by subject and by time', async () => {
    const { workspaceId, key } = await api.createWorkspace();
    const subject = newId();
    await record(workspaceId, 'connection.created', subject);
    await record(workspaceId, 'tool.blocked');
    expect((await list('?type=tool.blocked', key)).auditEvents).toMatchObject([
      { seq: 2, type: 'tool.blocked' },
    ]);
    expect((await list(`?subjectId=${subject}`, key)).auditEvents).toMatchObject([
      { seq: 1, subjectId: subject },
    ]);
    expect((await list('?from=2999-01-01T00:00:00Z', key)).auditEvents).toEqual([]);
    expect((await list('?to=2999-01-01T00:00:00Z', key)).auditEvents).toHaveLength(2);
  });

  test('shows who did what, where that is recorded', async () => {
    const { workspaceId, key } = await api.createWorkspace();
    const by = { apiKeyId: newId(), actingFor: 'Ada' };
    await api.database.inWorkspace(workspaceId, (trx) =>
      createAuditLog(trx).record({ type: 'api_key.created', subjectId: null, payload: { name: 'x' }, by }),
    );
    const { auditEvents } = await list('', key);
    expect(auditEvents).toMatchObject([{ type: 'api_key.created', payload: { name: 'x', by } }]);
  });

  test('filters events by who acted, page by page, with the other filters', async () => {
    const { workspaceId, key } = await api.createWorkspace();
    const [one, other] = [newId(), newId()];
    const actors = [
      { by: { apiKeyId: one, actingFor: 'Ada' } },
      { by: { apiKeyId: one, actingFor: null } },
      { by: { apiKeyId: other, actingFor: 'ada' } },
      { decided_by: { apiKeyId: other, actingFor: 'Ada', grantId: 'g' } },
      { by: { type: 'person', person: 'ada', api_key_id: one, agent_id: null } },
      { revoked_by: { apiKeyId: null, actingFor: 'Bob' } },
      { created_by: { apiKeyId: one, actingFor: 'Bob' } },
      {},
    ];
    await api.database.inWorkspace(workspaceId, async (trx) => {
      for (const payload of actors)
        await createAuditLog(trx).record({ type: 'agent.configured', subjectId: null, payload });
    });
    const toSeqs = ({ auditEvents }: AuditPage) => auditEvents.map(({ seq }) => seq);
    const find = async (query: string) => toSeqs(await list(`?${query}`, key));
    expect(await find('person=ADA')).toEqual([5, 4, 3, 1]);
    expect(await find('person=Bob')).toEqual([7, 6]);
    expect(await find(`apiKeyId=${one}`)).toEqual([7, 5, 2, 1]);
    expect(await find(`apiKeyId=${other}&person=ada`)).toEqual([4, 3]);
    expect(await find('person=nobody')).toEqual([]);
    expect(await find('person=ada&type=tool.blocked')).toEqual([]);
    expect(await find('person=ada&from=2999-01-01T00:00:00Z')).toEqual([]);
    const first = await list('?person=ada&limit=3', key);
    const second = await list(`?person=ada&limit=3&cursor=${first.nextCursor}`, key);
    expect([toSeqs(first), toSeqs(second)]).toEqual([[5, 4, 3], [1]]);
    expect(second.nextCursor).toBeNull();
    expect(toSeqs(await list('?person=ada'))).toEqual([]);
    expect(toSeqs(await list(`?apiKeyId=${one}`))).toEqual([]);
  });

  test.each(['person', 'api_key'])(
    'finds the events of a rare %s among others by an index',
    async (actor) => {
      const { workspaceId } = await api.createWorkspace();
      await api.database.inWorkspace(workspaceId, (trx) =>
        trx.raw(
          `INSERT INTO audit_pending (id, type, subject_id, payload)
         SELECT gen_random_uuid(), 'tool.executed', NULL, CASE WHEN i % 1000 = 1
           THEN '{"by": {"apiKeyId": "rare", "actingFor": "rare"}}'
           ELSE '{"by": {"apiKeyId": "other", "actingFor": "other"}}' END::jsonb FROM generate_series(1, 3000) AS i`,
        ),
      );
      const filter = actor === 'person' ? { person: 'Rare' } : { apiKeyId: 'rare' };
      await api.database.inWorkspace(workspaceId, async (trx) => {
        const log = createAuditLog(trx);
        await log.list(workspaceId, { limit: 1 });
        const countScans = async () => {
          const { rows } = await trx.raw<{ rows: [{ scans: number }] }>(
            'SELECT pg_stat_get_xact_numscans(?::regclass)::int AS scans',
            [`audit_events_by_${actor}`],
          );
          return rows[0].scans;
        };
        const before = await countScans();
        expect(await log.list(workspaceId, { ...filter, limit: 51 })).toHaveLength(3);
        expect(await countScans()).toBe(before + 1);
      });
    },
  );

  test('requires the scope audit:read', async () => {
    const key = await api.createKey(api.workspaceId, ['agents:read']);
    const { status, error } = await api.call('GET', '/api/audit-events', { key });
    expect([status, error.details]).toEqual([403, { missingScopes: ['audit:read'] }]);
  });
});

describe('GET /api/analytics/tools', () => {
  test('returns the time range of its figures', async () => {
    const { status, data } = await api.call(
      'GET',
      '/api/analytics/tools?to=2026-03-31T00:00:00Z&groupBy=tool,day',
    );
    expect(status).toBe(200);
    expect(data).toEqual({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T00:00:00.000Z', tools: [] });
  });

  test.each(['?groupBy=colour', '?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', '?agentId=x'])(
    'refuses %s',
    async (query) => {
      const { status, error } = await api.call('GET', `/api/analytics/tools${query}`);
      expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
    },
  );
});

describe('GET /api/analytics/models', () => {
  test('returns the time range of its figures', async () => {
    const { status, data } = await api.call(
      'GET',
      '/api/analytics/models?to=2026-03-31T00:00:00Z&groupBy=model,provider,agent,day,kind&limit=1000',
    );
    expect(status).toBe(200);
    expect(data).toEqual({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T00:00:00.000Z', models: [] });
  });

  test.each([
    '?groupBy=tool',
    '?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    '?from=yesterday',
    '?agentId=x',
    '?limit=1001',
    '?limit=0',
    '?tool=search',
    `?model=${'m'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    const { status, error } = await api.call('GET', `/api/analytics/models${query}`);
    expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('requires the scope analytics:read', async () => {
    const key = await api.createKey(api.workspaceId, ['agents:read']);
    const { status, error } = await api.call('GET', '/api/analytics/models', { key });
    expect([status, error.details]).toEqual([403, { missingScopes: ['analytics:read'] }]);
  });
});

describe('GET /api/audit-events/verification', () => {
  test('verifies the chain of its own workspace', async () => {
    const { workspaceId, key } = await api.createWorkspace();
    const other = await api.createWorkspace();
    const verify = async (of: string) =>
      (await api.call('GET', '/api/audit-events/verification', { key: of })).data as unknown;
    expect(await verify(key)).toEqual({
      verification: { isWhole: true, events: 0, head: null, faults: [] },
    });
    for (let index = 0; index < 3; index++) await record(workspaceId, 'agent.configured');
    expect(await verify(key)).toMatchObject({
      verification: { isWhole: true, events: 3, head: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    await runAsOwner(
      api.databaseUrl,
      `DELETE FROM audit_events WHERE workspace_id = '${workspaceId}' AND seq = 2`,
    );
    expect(await verify(key)).toMatchObject({
      verification: { isWhole: false, events: 2, faults: [{ seq: 3, fault: 'missing' }] },
    });
    expect(await verify(other.key)).toMatchObject({ verification: { isWhole: true, events: 0 } });
  });

  test('needs the scope audit:read', async () => {
    const key = await api.createKey(api.workspaceId, ['analytics:read']);
    expect((await api.call('GET', '/api/audit-events/verification', { key })).status).toBe(403);
  });
});
