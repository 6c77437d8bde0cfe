import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { startApi, type Api } from '../../labs/api-lab.ts';
import { askForApproval } from '../../labs/asked-call.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { eventually } from '../../labs/eventually.ts';
import { pressButton } from '../../labs/slack-user.ts';
import { startVendorServer } from '../../servers/vendor-server.ts';

const signingSecret = 'planted-signing-secret';

let api: Api;
let webhookId: string;
beforeAll(async () => {
  api = await startApi();
  webhookId = await createChannel();
});
afterAll(() => api.stop());

async function createChannel(): Promise<string> {
  const connection = { name: newId(), provider: 'slack', auth: { type: 'bearer', token: 'xoxb-planted' } };
  const { data } = await api.call('POST', '/api/connections', { body: connection });
  const slack = { connectionId: data.connection.id, channel: 'C024BE91L', signingSecret };
  const created = await api.call('POST', '/api/webhooks', { body: { slack } });
  expect(created.status).toBe(201);
  return created.data.webhook.id;
}

function press(actionId: string, parts: Partial<Parameters<typeof pressButton>[0]> = {}) {
  const button = 'holdfast_approve' as const;
  return pressButton({ url: api.url, webhookId, signingSecret, button, actionId, ...parts });
}

async function readAction(id: string) {
  return (await api.call('GET', `/api/pending-actions/${id}`)).data.action;
}

/** The place in Slack at which an interaction is answered. */
async function startResponses() {
  const responses = await startVendorServer();
  onTestFinished(responses.close);
  const read = () => responses.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  return {
    url: responses.url,
    read,
    waitFor: (count: number) => eventually(read, (all) => all.length >= count),
  };
}

describe('a button in Slack', () => {
  test('approves or rejects a call once, in the name of who pressed it', async () => {
    const [first, second] = [await askForApproval(api), await askForApproval(api)];
    expect(await press(first.actionId)).toEqual({ status: 200, text: '' });
    expect(await press(second.actionId, { button: 'holdfast_reject', userId: 'U7' })).toMatchObject({
      status: 200,
    });

    expect(await readAction(first.actionId)).toMatchObject({
      status: 'approved',
      decidedBy: { apiKeyId: null, actingFor: 'slack:T1DC2JH3J/U2CERLKJA' },
    });
    expect(await readAction(second.actionId)).toMatchObject({
      status: 'rejected',
      decidedBy: { actingFor: 'slack:T1DC2JH3J/U7' },
    });
    expect(api.calls.told).toContain(first.actionId);
  });

  test('that is pressed twice, or by many at once, makes one decision', async () => {
    const { actionId } = await askForApproval(api);
    const presses = Array.from({ length: 10 }, (_, index) => press(actionId, { userId: `U${index}` }));
    const statuses = (await Promise.all(presses)).map(({ status }) => status);

    expect(statuses).toEqual(statuses.map(() => 200));
    const decided = { type: 'action.decided', subject_id: actionId };
    await chainAudit(api.database.system);
    expect(await api.database.system('audit_events').where(decided)).toHaveLength(1);
  });

  test('of a call that is decided already puts the decision in place of the message', async () => {
    const responses = await startResponses();
    const { actionId } = await askForApproval(api);
    await api.call('POST', `/api/pending-actions/${actionId}/decision`, {
      body: { decision: 'reject', actingFor: 'Ada', reason: 'Too much.' },
    });
    expect((await press(actionId, { responseUrl: responses.url })).status).toBe(200);
    const [answer] = await responses.waitFor(1);

    expect(answer).toMatchObject({ replace_original: true, text: 'Rejected: calculate' });
    expect(JSON.stringify(answer)).toContain('Rejected by Ada: Too much.');
    expect(JSON.stringify(answer)).not.toContain('button');
    expect(await readAction(actionId)).toMatchObject({ status: 'rejected', decidedBy: { actingFor: 'Ada' } });
  });

  test('does not decide what only certain people may decide', async () => {
    const responses = await startResponses();
    for (const rules of [
      { approvers: [['finance']], selfApproval: true },
      { approvers: [], selfApproval: false },
    ]) {
      const { actionId } = await askForApproval(api, { rules });
      expect((await press(actionId, { responseUrl: responses.url })).status).toBe(200);
      expect((await readAction(actionId)).status).toBe('pending');
    }
    expect(await responses.waitFor(2)).toMatchObject([
      { response_type: 'ephemeral', text: expect.stringContaining('finance') as string },
      { response_type: 'ephemeral' },
    ]);
  });

  test('of a call that has expired says so', async () => {
    const responses = await startResponses();
    const { actionId } = await askForApproval(api);
    await api.database
      .system('pending_actions')
      .where({ id: actionId })
      .update({ expires_at: new Date(0) });
    expect((await press(actionId, { responseUrl: responses.url })).status).toBe(200);
    expect(JSON.stringify(await responses.waitFor(1))).toContain('Nobody decided in time');
  });

  test('tells who pressed that there is no such call, also for one of another workspace', async () => {
    const responses = await startResponses();
    const { actionId } = await askForApproval(api);
    const other = await api.createWorkspace();
    await api.database
      .system('webhooks')
      .where({ id: webhookId })
      .update({ workspace_id: other.workspaceId });
    // The secret is sealed for the workspace that the webhook was created in, so it cannot be moved.
    expect((await press(actionId, { responseUrl: responses.url })).status).toBe(503);
    await api.database.system('webhooks').where({ id: webhookId }).update({ workspace_id: api.workspaceId });
    await press(newId(), { responseUrl: responses.url });

    expect(await responses.waitFor(1)).toMatchObject([
      { response_type: 'ephemeral', replace_original: false },
    ]);
    expect((await readAction(actionId)).status).toBe('pending');
  });
});

describe('a request that is not from Slack', () => {
  const changes: [string, Partial<Parameters<typeof pressButton>[0]>][] = [
    ['signed with another secret', { signingSecret: 'another' }],
    ['six minutes old', { timestamp: Math.floor(Date.now() / 1000) - 360 }],
    ['of a time to come', { timestamp: Math.floor(Date.now() / 1000) + 360 }],
    [
      'changed after it was signed',
      {
        change: (request) => {
          request.body += '&a=b';
        },
      },
    ],
    ['without a signature', { change: ({ headers }) => delete headers['x-slack-signature'] }],
    ['to a webhook that does not exist', { webhookId: newId() }],
    ['to no id of a webhook', { webhookId: 'x' }],
  ];

  test.each(changes)('%s is refused with 401', async (_, parts) => {
    const { actionId } = await askForApproval(api);
    const { status, text } = await press(actionId, parts);

    expect({ status, code: (JSON.parse(text) as { error: { code: string } }).error.code }).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
    });
    expect((await readAction(actionId)).status).toBe('pending');
  });

  test('to a channel that is disabled, deleted or a URL is refused with 401', async () => {
    const { actionId } = await askForApproval(api);
    const [disabled, deleted] = [await createChannel(), await createChannel()];
    await api.call('PATCH', `/api/webhooks/${disabled}`, { body: { enabled: false } });
    await api.call('DELETE', `/api/webhooks/${deleted}`);
    const body = { url: 'https://receiver.example', events: ['turn.settled'] };
    const { data } = await api.call('POST', '/api/webhooks', { body });
    for (const id of [disabled, deleted, data.webhook.id]) {
      expect((await press(actionId, { webhookId: id })).status).toBe(401);
    }
    expect((await readAction(actionId)).status).toBe('pending');
  });
});

describe('another interaction of Slack', () => {
  test('does nothing', async () => {
    const { actionId } = await askForApproval(api);
    const signed = async (payload: string) =>
      (
        await press(actionId, {
          change: (request) => {
            request.body = new URLSearchParams({ payload }).toString();
            const timestamp = request.headers['x-slack-request-timestamp'] ?? '';
            const mac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${request.body}`);
            request.headers['x-slack-signature'] = `v0=${mac.digest('hex')}`;
          },
        })
      ).status;

    expect(await signed('{"type":"view_submission"}')).toBe(200);
    expect(await signed('{"type":"block_actions","actions":[]}')).toBe(200);
    expect(await signed('nonsense')).toBe(400);
    expect((await readAction(actionId)).status).toBe('pending');
  });
});
