import { beforeAll, describe, expect, test } from 'vitest';
import { toApprovalHash } from '../../../src/modules/actions/approval-hash.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { askedTool as tool, askForApproval } from '../../labs/asked-call.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

function decide(actionId: string, body: object) {
  return api.call('POST', `/api/pending-actions/${actionId}/decision`, { body });
}

describe('pending actions', () => {
  test('are listed, found by turn and conversation, and shown by their turn', async () => {
    const { turnId, conversationId, actionId } = await askForApproval(api);
    await askForApproval(api);
    const listed = await api.call('GET', `/api/pending-actions?turnId=${turnId}`);
    const found = await api.call('GET', `/api/pending-actions/${actionId}`);
    const turn = await api.call('GET', `/api/turns/${turnId}`);

    expect(listed.data.actions).toEqual([found.data.action]);
    expect(found.data.action).toMatchObject({
      ...{ id: actionId, kind: 'approval', status: 'pending', turnId, rootTurnId: turnId, conversationId },
      ...{ tool: 'calculate', arguments: { expression: '1 + 1' }, decidedAt: null, decidedBy: null },
    });
    expect(turn.data.turn.pendingActions).toEqual([found.data.action]);
    const all = await api.call('GET', '/api/pending-actions?limit=1');
    expect(all.data.actions).toHaveLength(1);
    expect(all.data.nextCursor).not.toBeNull();
    expect((await api.call('GET', `/api/pending-actions/${newId()}`)).status).toBe(404);
  });

  test('are decided once: the same again answers 200, another decision 409 with who decided', async () => {
    const { turnId, actionId } = await askForApproval(api);
    const decision = { decision: 'reject', reason: 'Not now.', actingFor: 'Ada' };
    const first = await decide(actionId, decision);
    const again = await decide(actionId, decision);
    const other = await decide(actionId, { decision: 'approve' });

    expect(first.data.action).toMatchObject({
      status: 'rejected',
      reason: 'Not now.',
      decidedBy: { apiKeyId: expect.any(String) as string, actingFor: 'Ada' },
    });
    expect(again).toMatchObject({ status: 200, data: first.data });
    expect(other).toMatchObject({
      status: 409,
      error: {
        code: 'ACTION_DECIDED',
        details: { status: 'rejected', decidedBy: first.data.action.decidedBy },
      },
    });
    expect(api.calls.told).toContain(actionId);
    const events = await api.database.system('events').where({ turn_id: turnId }).pluck<string[]>('type');
    expect(events).toContain('action.decided');
  });

  test('take changed arguments only when they fit the tool, and hash them', async () => {
    const { actionId } = await askForApproval(api);
    const wrong = await decide(actionId, { decision: 'approve', arguments: { expression: 7 } });
    const right = await decide(actionId, { decision: 'approve', arguments: { expression: '2 + 2' } });
    const row = await api.database
      .system('pending_actions')
      .where({ id: actionId })
      .first<{ hash: string }>('hash');

    expect(wrong).toMatchObject({ status: 400, error: { code: 'INVALID_INPUT' } });
    expect(wrong.error.message).toContain('arguments.expression');
    expect(right.data.action).toMatchObject({
      arguments: { expression: '1 + 1' },
      approvedArguments: { expression: '2 + 2' },
    });
    expect(row.hash).toBe(toApprovalHash({ tool, arguments: { expression: '2 + 2' } }));
  });

  test('are over when their time is, though nobody has noted it yet', async () => {
    const { actionId } = await askForApproval(api, { timeoutMs: 1 });

    expect(await decide(actionId, { decision: 'approve' })).toMatchObject({
      status: 409,
      error: { code: 'ACTION_DECIDED', details: { status: 'expired' } },
    });
  });
});

describe('questions', () => {
  const options = ['red', 'blue'];
  const question = {
    ...{ kind: 'question' as const, question: 'Which?', options },
    schema: { type: 'string', enum: options },
  };

  test('are found by their kind, and answered by their schema', async () => {
    const { actionId } = await askForApproval(api, { asked: question });
    const listed = await api.call('GET', '/api/pending-actions?kind=question');
    const wrong = await decide(actionId, { decision: 'answer', answer: 'green' });
    const right = await decide(actionId, { decision: 'answer', answer: 'blue' });

    expect(listed.data.actions).toMatchObject([{ id: actionId, ...question, answer: null }]);
    expect((await api.call('GET', '/api/pending-actions?kind=client_tool')).data.actions).toEqual([]);
    expect(wrong).toMatchObject({ status: 400, error: { details: [{ field: 'answer' }] } });
    expect(right.data.action).toMatchObject({ status: 'answered', answer: 'blue', isError: false });
  });

  test('take only the decisions of their kind', async () => {
    const { actionId } = await askForApproval(api, { asked: question });
    const approval = await askForApproval(api);
    const decisions = [
      decide(actionId, { decision: 'approve' }),
      decide(actionId, { decision: 'answer', answer: 'blue', isError: true }),
      decide(approval.actionId, { decision: 'answer', answer: 'blue' }),
    ];
    const answers = await Promise.all(decisions);

    expect(answers).toMatchObject(
      ['decision', 'isError', 'decision'].map((field) => ({ status: 400, error: { details: [{ field }] } })),
    );
  });

  test('are answered by whoever may write in conversations, who may not approve', async () => {
    const { actionId } = await askForApproval(api, { asked: question });
    const approval = await askForApproval(api);
    const key = await api.createKey(api.workspaceId, ['conversations:write']);
    const post = (id: string, body: object) =>
      api.call('POST', `/api/pending-actions/${id}/decision`, { body, key });

    expect((await post(actionId, { decision: 'answer', answer: 'red' })).status).toBe(200);
    expect(await post(approval.actionId, { decision: 'approve' })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN', details: { missingScopes: ['approvals:decide'] } },
    });
    const reader = await api.createKey(api.workspaceId, ['conversations:read']);
    const refused = await api.call('POST', `/api/pending-actions/${actionId}/decision`, {
      body: { decision: 'answer', answer: 'red' },
      key: reader,
    });
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });
});

test('a hash is of canonical JSON: the order of keys does not matter, and every value does', () => {
  const hash = (input: JsonObject) => toApprovalHash({ tool, arguments: input });

  expect(hash({ a: 1, b: { '10': 1, '9': 2 } })).toBe(hash({ b: { '9': 2, '10': 1 }, a: 1 }));
  expect(hash({ a: 1 })).not.toBe(hash({ a: '1' }));
});
