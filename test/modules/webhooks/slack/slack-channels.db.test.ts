import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { chainAudit } from '../../../labs/chain-audit.ts';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

test('a channel of Slack needs the right to decide, and approvers who are no more than its key', async () => {
  const connection = { name: newId(), provider: 'slack', auth: { type: 'bearer', token: 'planted' } };
  const created = await api.call('POST', '/api/connections', { body: connection });
  const connectionId = created.data.connection.id;
  const ada = { teamId: 'T1', userId: 'U1', person: 'Ada', groups: ['finance'] };
  const slack = { connectionId, channel: 'C1', signingSecret: 'planted', approvers: [ada] };
  const create = (key: string, parts: object = {}) =>
    api.call('POST', '/api/webhooks', { key, body: { slack: { ...slack, ...parts } } });
  const weak = await api.createKey(api.workspaceId, ['webhooks:write']);
  const strong = ['webhooks:write', 'approvals:decide'] as const;
  const bound = await api.createKey(api.workspaceId, [...strong], { actsFor: 'Bob', groups: ['finance'] });
  const finance = await api.createKey(api.workspaceId, [...strong], { groups: ['finance'] });

  const missing = await create(weak, { approvers: [] });
  expect(missing.error).toMatchObject({
    code: 'FORBIDDEN',
    details: { missingScopes: ['approvals:decide'] },
  });
  expect((await create(api.key)).error).toMatchObject({ details: { missingGroups: ['finance'] } });
  expect((await create(bound)).error.message).toContain('acts for Bob only');
  expect((await create(finance, { approvers: [ada, ada] })).error.code).toBe('INVALID_INPUT');
  const made = await create(finance);
  expect(made.data.webhook.slack).toMatchObject({ approvers: [ada] });

  const path = `/api/webhooks/${made.data.webhook.id}`;
  for (const body of [
    { slack: { signingSecret: 'mine' } },
    { slack: { approvers: [] } },
    { enabled: true },
  ]) {
    expect((await api.call('PATCH', path, { key: weak, body })).status).toBe(403);
  }
  expect((await api.call('PATCH', path, { key: bound, body: { enabled: true } })).status).toBe(403);
  expect((await api.call('PATCH', path, { key: weak, body: { enabled: false } })).status).toBe(200);
  expect((await api.call('PATCH', path, { key: finance, body: { slack: { approvers: [] } } })).status).toBe(
    200,
  );
  const subject = { subject_id: made.data.webhook.id };
  await chainAudit(api.database.system);
  const audited = await api.database.system('audit_events').where(subject).pluck<string[]>('type');
  expect(audited.toSorted()).toEqual([
    ...[
      'webhook.approvers_changed',
      'webhook.created',
      'webhook.disabled',
      'webhook.updated',
      'webhook.updated',
    ],
  ]);
});
