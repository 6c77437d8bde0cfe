import { beforeAll, describe, expect, test } from 'vitest';
import { createGrantRepository } from '../../../src/modules/actions/grant-repository.ts';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { scopes } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openConversation, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { askedTool, askForApproval } from '../../labs/asked-call.ts';
import { eventually } from '../../labs/eventually.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const dayMs = 24 * 60 * 60 * 1000;
const tomorrow = () => new Date(Date.now() + dayMs).toISOString();

function remember(parts: object = {}) {
  return { tool: 'calculate', pins: {}, scope: 'conversation', until: tomorrow(), ...parts };
}

function approve(actionId: string, body: object) {
  return api.call('POST', `/api/pending-actions/${actionId}/decision`, {
    body: { decision: 'approve', ...body },
  });
}

async function readAction(id: string) {
  return (await api.call('GET', `/api/pending-actions/${id}`)).data.action;
}

async function listGrants(query = '') {
  return (await api.call('GET', `/api/approval-grants?${query}`)).data.approvalGrants;
}

async function readAudit(type: string, subjectId: string): Promise<JsonObject[]> {
  const events = await api.database.inWorkspace(api.workspaceId, (trx) =>
    createAuditLog(trx).list(api.workspaceId, { type, subjectId, limit: 10 }),
  );
  return events.map(({ payload }) => payload);
}

describe('an approval that is remembered', () => {
  test('is listed, found by its action, and shown as one that could be', async () => {
    const { actionId, conversationId } = await askForApproval(api);
    expect(await readAction(actionId)).toMatchObject({ canRemember: true, redeemedAt: null, target: null });
    const until = tomorrow();
    const answer = await approve(actionId, {
      remember: remember({ pins: { expression: '1 + 1' }, until }),
      actingFor: 'Ada',
    });
    const [grant, ...others] = await listGrants(`actionId=${actionId}`);

    expect(answer).toMatchObject({ status: 200, data: { action: { status: 'approved' } } });
    expect(others).toEqual([]);
    expect(grant).toMatchObject({
      ...{ tool: 'calculate', target: null, scope: 'conversation', scopeId: conversationId, actionId },
      ...{ pins: { expression: '1 + 1' }, until, revokedAt: null, revokedBy: null },
      createdBy: { actingFor: 'Ada', apiKeyId: expect.any(String) as string },
    });
    expect(await readAudit('approval_grant.created', grant?.id ?? '')).toMatchObject([
      { scope: 'conversation', scope_id: conversationId, pinned: ['expression'], tool_name: 'calculate' },
    ]);
  });

  test('is remembered once, and another wish is another decision', async () => {
    const { actionId } = await askForApproval(api);
    const wish = remember({ pins: { expression: '1 + 1' } });
    const first = await approve(actionId, { remember: wish });
    const again = await approve(actionId, { remember: wish });

    expect(again).toMatchObject({ status: 200, data: first.data });
    expect(await listGrants(`actionId=${actionId}`)).toHaveLength(1);
    for (const remembered of [undefined, { ...wish, scope: 'agent' }, { ...wish, pins: {} }]) {
      expect((await approve(actionId, { remember: remembered })).status).toBe(409);
    }
  });

  test('releases the calls that wait already and fit, in its scope only', async () => {
    const place = await openConversation(api);
    const inPlace = (input: JsonObject) => askForApproval(api, { place, input });
    const other = await askForApproval(api, { input: { expression: '2 + 2' } });
    const below = await askForApproval(api, { input: { expression: '2 + 2' } });
    const first = await inPlace({ expression: '2 + 2' });
    await api.database
      .system('pending_actions')
      .where({ id: below.actionId })
      .update({ root_turn_id: first.turnId });
    const changed = { ...askedTool, description: 'Does more.' };
    await api.database.system('turns').where({ id: first.turnId }).update({ status: 'completed' });
    const unlike = await inPlace({ expression: '3 + 3' });
    await api.database.system('turns').where({ id: unlike.turnId }).update({ status: 'completed' });
    const another = await askForApproval(api, { place, input: { expression: '2 + 2' }, tool: changed });
    const pins = { expression: '2 + 2' };
    await approve(first.actionId, { remember: remember({ pins }), actingFor: 'Ada' });

    const [grant] = await listGrants(`actionId=${first.actionId}`);
    expect(await readAction(below.actionId)).toMatchObject({
      status: 'approved',
      decidedBy: { grantId: grant?.id, actingFor: 'Ada' },
    });
    await eventually(
      () => api.calls.told,
      (told) => told.includes(below.actionId),
    );
    for (const { actionId } of [other, unlike, another]) {
      expect(await readAction(actionId)).toMatchObject({ status: 'pending' });
    }
    expect(await readAudit('approval_grant.used', grant?.id ?? '')).toMatchObject([
      { action_id: below.actionId, tool_name: 'calculate' },
    ]);
    expect(await readAudit('action.decided', below.actionId)).toHaveLength(1);
    const { data } = await api.call('GET', `/api/turns/${below.turnId}`);
    expect(data.turn.toolCalls).toMatchObject([{ approval: { decidedBy: { grantId: grant?.id } } }]);
  });

  test('holds for one agent or the whole workspace', async () => {
    const input = { expression: '4 + 4' };
    const [place, elsewhere] = [await openConversation(api), await openConversation(api)];
    const first = await askForApproval(api, { place, input });
    const ofOther = await askForApproval(api, { place: elsewhere, input });
    const { data } = await api.call('POST', '/api/conversations', { body: { agentId: place.agentId } });
    const sameAgent = { agentId: place.agentId, conversationId: data.conversation.id };
    const ofSame = await askForApproval(api, { place: sameAgent, input });
    const pins = { expression: '4 + 4' };
    await approve(first.actionId, { remember: remember({ pins, scope: 'agent' }) });

    expect(await readAction(ofSame.actionId)).toMatchObject({ status: 'approved' });
    expect(await readAction(ofOther.actionId)).toMatchObject({ status: 'pending' });
    const third = await askForApproval(api, { input });
    await approve(ofOther.actionId, { remember: remember({ pins, scope: 'workspace' }) });
    expect(await readAction(third.actionId)).toMatchObject({ status: 'approved' });
    expect(await listGrants('scope=workspace')).toMatchObject([{ scopeId: api.workspaceId }]);
  });

  test.each<[string, object, string]>([
    ['the name of another tool', { tool: 'pay' }, 'remember.tool: expected calculate'],
    ['a value that the call does not have', { pins: { expression: '9' } }, 'remember.pins.expression: '],
    ['an argument that the call does not have', { pins: { currency: 'EUR' } }, 'remember.pins.currency: '],
    ['a time that is over', { until: new Date(Date.now() - 1).toISOString() }, 'remember.until: '],
    ['more than a year', { until: new Date(Date.now() + 367 * dayMs).toISOString() }, 'remember.until: '],
    ['no pins', { pins: undefined }, 'remember.pins: '],
    ['no end', { until: undefined }, 'remember.until: '],
  ])('is refused with %s, and decides nothing', async (_, parts, message) => {
    const { actionId } = await askForApproval(api);
    const refused = await approve(actionId, { remember: remember(parts) });

    expect(refused).toMatchObject({ status: 400, error: { code: 'INVALID_INPUT' } });
    expect(refused.error.message).toContain(message);
    expect(await readAction(actionId)).toMatchObject({ status: 'pending' });
    expect(await listGrants(`actionId=${actionId}`)).toEqual([]);
  });

  test('pins the arguments that a person has put in place of the proposed ones', async () => {
    const { actionId } = await askForApproval(api);
    const changed = { arguments: { expression: '5 + 5' } };
    const wrong = { ...changed, remember: remember({ pins: { expression: '1 + 1' } }) };
    expect((await approve(actionId, wrong)).error.message).toContain('remember.pins.expression');
    const right = { ...changed, remember: remember({ pins: { expression: '5 + 5' } }) };
    expect((await approve(actionId, right)).status).toBe(200);
  });

  test('is not offered for a tool that always asks, nor with a rejection', async () => {
    const { actionId } = await askForApproval(api, { canRemember: false });
    expect(await readAction(actionId)).toMatchObject({ canRemember: false });
    const refused = await approve(actionId, { remember: remember() });
    expect(refused).toMatchObject({ status: 400, error: { code: 'INVALID_INPUT' } });
    expect(refused.error.message).toContain('always_ask');
    const rejected = await approve(actionId, { decision: 'reject', remember: remember() });
    expect(rejected.status).toBe(400);
  });
});

describe('remembered approvals', () => {
  test('are filtered, and revoked once by somebody who may decide', async () => {
    const { actionId } = await askForApproval(api);
    await approve(actionId, { remember: remember() });
    const [grant] = await listGrants(`actionId=${actionId}`);
    const id = grant?.id ?? '';
    const find = async (query: string) =>
      (await listGrants(`actionId=${actionId}&${query}`)).map((one) => one.id);
    expect(await find('tool=calculate&scope=conversation&active=true')).toEqual([id]);
    for (const query of ['tool=pay', 'scope=agent', 'active=false']) expect(await find(query)).toEqual([]);

    const reader = await api.createKey(api.workspaceId, ['conversations:read']);
    expect((await api.call('DELETE', `/api/approval-grants/${id}`, { key: reader })).status).toBe(403);
    const revoked = await api.call('DELETE', `/api/approval-grants/${id}?actingFor=Bob`);
    const again = await api.call('DELETE', `/api/approval-grants/${id}?actingFor=Eve`);

    expect(revoked.data.approvalGrant).toMatchObject({ id, revokedBy: { actingFor: 'Bob' } });
    expect(again).toMatchObject({ status: 200, data: revoked.data });
    expect(await find('active=false')).toEqual([id]);
    expect(await readAudit('approval_grant.revoked', id)).toMatchObject([
      { revoked_by: { actingFor: 'Bob' } },
    ]);
    expect((await api.call('DELETE', `/api/approval-grants/${newId()}`)).status).toBe(404);
  });

  const changes: { that: string; change: object; groups: string[] | null }[] = [
    { that: 'was revoked', change: { revoked_at: new Date() }, groups: null },
    { that: 'has expired', change: { expires_at: new Date(0) }, groups: null },
    { that: 'lost the right to decide', change: { scopes: ['conversations:read'] }, groups: null },
    { that: 'changed its groups', change: { groups: ['legal', 'sales'] }, groups: ['legal'] },
  ];
  test.each([
    ...changes.map((change) => ({ which: 'key', ...change })),
    ...changes.map((change) => ({ which: 'maker of that key', ...change })),
  ])(
    'hold with the rights of today of who gave them: a $which that $that',
    async ({ which, change, groups }) => {
      const maker = await api.createKey(api.workspaceId, [...scopes], { groups: ['finance', 'legal'] });
      const wish = { name: 'made', scopes: [...scopes], groups: ['finance', 'legal'] };
      const { key } = (await api.call('POST', '/api/api-keys', { key: maker, body: wish })).data;
      const asked = await askForApproval(api);
      const body = { decision: 'approve', remember: remember() };
      await api.call('POST', `/api/pending-actions/${asked.actionId}/decision`, { key, body });
      const row = await api.database
        .system('pending_actions')
        .where({ id: asked.actionId })
        .first<{ tool_call_id: string; tool_hash: string; decided_by: { apiKeyId: string } }>();
      const call = { toolCallId: row.tool_call_id, toolHash: row.tool_hash };
      const id = row.decided_by.apiKeyId;
      const changed = which === 'key' ? id : maker.split('_')[1];
      const list = async () => {
        const inForce = await api.database.pipelined(api.workspaceId, (query) =>
          createGrantRepository(query).listInForce(call),
        );
        return inForce.filter((one) => one.created_by.apiKeyId === id);
      };
      expect((await list()).map((one) => one.groups.toSorted())).toEqual([['finance', 'legal']]);

      await api.database.system('api_keys').where({ id: changed }).update(change);
      expect((await list()).map((one) => one.groups)).toEqual(groups ? [groups] : []);
      const active = await listGrants(`actionId=${asked.actionId}&active=true`);
      expect(active).toHaveLength(groups ? 1 : 0);
    },
  );

  test('are limited for one tool in one scope', async () => {
    const { actionId, conversationId } = await askForApproval(api);
    await api.database.system.raw(
      `INSERT INTO approval_grants (id, workspace_id, scope, scope_id, tool, tool_hash, pins, until, action_id, created_by)
       SELECT gen_random_uuid(), ?, 'conversation', ?, 'calculate', a.tool_hash, '{}', now() + interval '1 day',
         gen_random_uuid(), '{}' FROM pending_actions a, generate_series(1, 1000) WHERE a.id = ?`,
      [api.workspaceId, conversationId, actionId],
    );
    const refused = await approve(actionId, { remember: remember() });
    expect(refused).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await readAction(actionId)).toMatchObject({ status: 'pending' });
  });
});
