import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openConversation, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { askForApproval } from '../../labs/asked-call.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

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

describe('people who took part in a turn', () => {
  const rules = { approvers: [], selfApproval: false };
  const bob = { apiKeyId: newId(), actingFor: 'Bob' };
  const update = (table: string, id: string, values: object) =>
    api.database.system(table).where({ id }).update(values);

  /** Ada's turn, in which a called agent asks; `before` gets both turns. */
  async function askBelow(before: (turns: { above: string; below: string }) => Promise<unknown>) {
    const above = (await askForApproval(api, { start: { actingFor: 'Ada' } })).turnId;
    return askForApproval(api, {
      ...{ rules, start: { actingFor: 'Ada' } },
      beforeAsking: async (below) => {
        await update('turns', below, { parent_turn_id: above });
        await before({ above, below });
      },
    });
  }

  async function refuseBob(actionId: string): Promise<void> {
    for (const [actingFor, status] of [
      ['Bob', 403],
      ['Ada', 403],
      ['Eve', 200],
    ] as const)
      expect((await decide(actionId, { decision: 'approve', actingFor })).status).toBe(status);
  }

  async function steer(turnId: string): Promise<void> {
    const { data } = await api.call('GET', `/api/turns/${turnId}`);
    const sent = await api.call('POST', `/api/conversations/${data.turn.conversationId}/turns`, {
      body: { message: 'And more.', onBusy: 'enqueue', actingFor: 'Bob' },
    });
    await update('turns', sent.data.turn.id, { status: 'steered', steered_into: turnId });
  }

  test.each<[string, (turns: { above: string; below: string }) => Promise<unknown>]>([
    ['steered the called agent', ({ below }) => steer(below)],
    ['steered the turn above', ({ above }) => steer(above)],
    [
      'is a participant of the turn above',
      ({ above }) => update('turns', above, { participants: JSON.stringify([bob]) }),
    ],
    [
      'answered a question in it',
      async ({ above }) => {
        const answered = { kind: 'question', status: 'answered', decided_by: JSON.stringify(bob) };
        await api.database.system('pending_actions').where({ turn_id: above }).update(answered);
      },
    ],
    [
      'is a participant of its swarm',
      async ({ below }) => {
        const swarmId = await insertSwarm({ participants: JSON.stringify([bob]) });
        await update('turns', below, { swarm_id: swarmId });
      },
    ],
    [
      'is a participant of the turn that started its swarm',
      async ({ above, below }) => {
        const swarmId = await insertSwarm({ parent_turn_id: above });
        await update('turns', above, { participants: JSON.stringify([bob]) });
        await update('turns', below, { swarm_id: swarmId, parent_turn_id: null });
      },
    ],
  ])('do not approve, as one who %s', async (_, before) => {
    const { actionId } = await askBelow(before);
    await refuseBob(actionId);
  });

  async function insertSwarm(values: object): Promise<string> {
    const id = newId();
    const swarm = { kind: 'simple', goal: 'x', limits: '{}', request_hash: 'x', deadline_at: new Date() };
    await api.database
      .system('swarms')
      .insert({ id, workspace_id: api.workspaceId, ...swarm, status: 'running', ...values });
    return id;
  }

  test.each([
    ['a subtask', { subTasks: { set: [{ id: 'first', description: 'Pay more.' }] } }],
    ['an item of the blackboard', { blackboard: { set: [{ id: 'limit', value: 1_000_000 }] } }],
  ])('do not approve, as one who set %s of its swarm', async (_, body) => {
    const { agentId: assignee } = await openConversation(api);
    const subtasks = [{ id: 'first', description: 'Pay.', assignee }];
    const { data } = await api.call('POST', '/api/swarms', {
      body: { kind: 'rich', goal: 'Paid', subtasks },
    });
    const swarmId = (data as unknown as { swarm: { id: string } }).swarm.id;
    const changer = await api.createKey(api.workspaceId, ['swarms:write', 'approvals:decide']);
    const other = await api.createKey(api.workspaceId, ['approvals:decide']);
    const { actionId } = await askBelow(async ({ below }) => {
      await update('turns', below, { swarm_id: swarmId });
      const changed = await api.call('PATCH', `/api/swarms/${swarmId}`, { body, key: changer });
      expect(changed).toMatchObject({ status: 200 });
    });

    expect(await decide(actionId, { decision: 'approve', actingFor: 'Eve' }, changer)).toMatchObject({
      status: 403,
      error: { code: 'SELF_APPROVAL_REFUSED' },
    });
    expect((await decide(actionId, { decision: 'approve', actingFor: 'Eve' }, other)).status).toBe(200);
  });

  test('are listed once each, with the starter first', async () => {
    const again = JSON.stringify([bob, bob]);
    const { actionId } = await askBelow(({ below }) => update('turns', below, { participants: again }));
    const { data } = await api.call('GET', `/api/pending-actions/${actionId}`);
    expect(data.action.askedBy).toMatchObject([{ actingFor: 'Ada' }, bob]);
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
