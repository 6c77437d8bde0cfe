import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConversation, startApi, type Api } from '../../labs/api-lab.ts';
import { askForApproval } from '../../labs/asked-call.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

function decide(actionId: string, body: object, key = api.key) {
  return api.call('POST', `/api/pending-actions/${actionId}/decision`, { body, key });
}

describe('approver groups', () => {
  const rules = { approvers: [['finance', 'legal'], ['managers']], selfApproval: true };

  test('let only keys decide that are in one group of each list', async () => {
    const { actionId } = await askForApproval(api, { rules });
    const one = await api.createKey(api.workspaceId, ['approvals:decide'], { groups: ['finance'] });
    const both = await api.createKey(api.workspaceId, ['approvals:decide'], {
      groups: ['legal', 'managers'],
    });
    const { data } = await api.call('GET', `/api/pending-actions/${actionId}`);
    expect(data.action).toMatchObject({ approvers: rules.approvers, selfApproval: true });

    for (const key of [api.key, one]) {
      for (const decision of ['approve', 'reject'])
        expect(await decide(actionId, { decision }, key)).toMatchObject({
          status: 403,
          error: { code: 'NOT_AN_APPROVER', details: { approvers: rules.approvers } },
        });
    }
    expect((await decide(actionId, { decision: 'approve' }, both)).status).toBe(200);
    expect((await decide(actionId, { decision: 'approve' }, one)).status).toBe(403);
  });

  test('hold for what a remembered approval releases', async () => {
    const place = await openConversation(api);
    const first = await askForApproval(api, { place });
    const guarded = await askForApproval(api, { rules });
    await api.database
      .system('pending_actions')
      .where({ id: guarded.actionId })
      .update({ root_turn_id: first.turnId });
    const until = new Date(Date.now() + 60_000).toISOString();
    const remember = { tool: 'calculate', pins: {}, scope: 'conversation', until };
    await decide(first.actionId, { decision: 'approve', remember });

    const { data } = await api.call('GET', `/api/pending-actions/${guarded.actionId}`);
    expect(data.action.status).toBe('pending');
  });

  test('are given to keys by keys that are in them', async () => {
    const manager = await api.createKey(api.workspaceId, ['api_keys:write', 'agents:read'], {
      groups: ['managers'],
    });
    const create = (body: object) =>
      api.call('POST', '/api/api-keys', {
        body: { name: 'New', scopes: ['agents:read'], ...body },
        key: manager,
      });

    expect((await create({ groups: ['managers'] })).data.apiKey).toMatchObject({
      groups: ['managers'],
      actsFor: null,
    });
    expect(await create({ groups: ['managers', 'finance'] })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN', details: { missingGroups: ['finance'] } },
    });
    expect((await create({ groups: ['not a name'] })).status).toBe(400);
  });
});

describe('a tool without self-approval', () => {
  const rules = { approvers: [], selfApproval: false };

  test('is not approved by the one who started the turn', async () => {
    const { actionId, turnId } = await askForApproval(api, { rules, start: { actingFor: 'Ada' } });
    const { data } = await api.call('GET', `/api/turns/${turnId}`);
    const [action] = data.turn.pendingActions;
    expect(data.turn.startedBy).toMatchObject({ actingFor: 'Ada', apiKeyId: expect.any(String) as string });
    expect(action).toMatchObject({ askedBy: [data.turn.startedBy], selfApproval: false });

    for (const actingFor of ['Ada', 'ADA', undefined])
      expect(await decide(actionId, { decision: 'approve', actingFor })).toMatchObject({
        status: 403,
        error: { code: 'SELF_APPROVAL_REFUSED' },
      });
    expect((await decide(actionId, { decision: 'approve', actingFor: 'Bob' })).status).toBe(200);
  });

  test('compares the keys when nobody is named', async () => {
    const { actionId } = await askForApproval(api, { rules });
    const other = await api.createKey(api.workspaceId, ['approvals:decide']);
    expect((await decide(actionId, { decision: 'approve', actingFor: 'Bob' })).status).toBe(403);
    expect((await decide(actionId, { decision: 'approve' }, other)).status).toBe(200);
  });

  test('is not approved by those who sent messages to the turn while it ran', async () => {
    const place = await openConversation(api);
    const { actionId } = await askForApproval(api, {
      ...{ place, rules, start: { actingFor: 'Ada' } },
      beforeAsking: async (turnId) => {
        const sent = await api.call('POST', `/api/conversations/${place.conversationId}/turns`, {
          body: { message: 'And more.', onBusy: 'enqueue', actingFor: 'Bob' },
        });
        const taken = { status: 'steered', steered_into: turnId };
        await api.database.system('turns').where({ id: sent.data.turn.id }).update(taken);
      },
    });
    expect((await decide(actionId, { decision: 'approve', actingFor: 'Bob' })).status).toBe(403);
    expect((await decide(actionId, { decision: 'approve', actingFor: 'Eve' })).status).toBe(200);
  });
});

describe('a key that acts for one person', () => {
  test('acts for nobody else, whatever its requests say', async () => {
    const scopes = ['approvals:decide', 'conversations:write', 'api_keys:write'] as const;
    const key = await api.createKey(api.workspaceId, [...scopes], { actsFor: 'Ada' });
    const { actionId, turnId } = await askForApproval(api, {
      rules: { approvers: [], selfApproval: false },
      start: { key, actingFor: 'Eve' },
    });
    const { data } = await api.call('GET', `/api/turns/${turnId}`);
    expect(data.turn.startedBy).toMatchObject({ actingFor: 'Ada' });
    expect((await decide(actionId, { decision: 'approve', actingFor: 'Bob' }, key)).status).toBe(403);
    const decided = await decide(actionId, { decision: 'approve', actingFor: 'Bob' });
    expect(decided.data.action.decidedBy).toMatchObject({ actingFor: 'Bob' });

    const create = (body: object) =>
      api.call('POST', '/api/api-keys', {
        body: { name: 'New', scopes: ['conversations:write'], ...body },
        key,
      });
    expect((await create({})).status).toBe(403);
    expect((await create({ actsFor: 'Bob' })).status).toBe(403);
    expect((await create({ actsFor: 'Ada' })).data.apiKey).toMatchObject({ actsFor: 'Ada' });
  });
});
