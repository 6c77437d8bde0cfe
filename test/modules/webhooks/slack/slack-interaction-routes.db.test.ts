import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/domain/scope.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { askForApproval } from '../../../labs/asked-call.ts';
import { chainAudit } from '../../../labs/chain-audit.ts';
import { eventually } from '../../../labs/eventually.ts';
import { pressButton } from '../../../labs/slack-user.ts';
import { startVendorServer } from '../../../servers/vendor-server.ts';

const signingSecret = 'planted-signing-secret';

let api: Api;
let webhookId: string;
beforeAll(async () => {
  api = await shareApi();
  webhookId = await createChannel();
});

const teamId = 'T1DC2JH3J';
const members = ['U2CERLKJA', 'U7', ...Array.from({ length: 10 }, (_, index) => `U1${index}`)];
const approvers = members.map((userId) => ({ teamId, userId, person: `Person ${userId}` }));

async function createChannel({
  key,
  ...parts
}: { key?: string; [field: string]: unknown } = {}): Promise<string> {
  const connection = { name: newId(), provider: 'slack', auth: { type: 'bearer', token: 'xoxb-planted' } };
  const { data } = await api.call('POST', '/api/connections', { body: connection });
  const slack = {
    connectionId: data.connection.id,
    channel: 'C024BE91L',
    signingSecret,
    approvers,
    ...parts,
  };
  const created = await api.call('POST', '/api/webhooks', { body: { slack }, ...(key ? { key } : {}) });
  expect(created.status).toBe(201);
  return created.data.webhook.id;
}

function press(actionId: string, parts: Partial<Parameters<typeof pressButton>[0]> = {}) {
  const button = 'holdfast_approve' as const;
  return pressButton({ url: api.url, webhookId, signingSecret, button, actionId, ...parts });
}

/** Asks for an approval, and notes that the message about it is posted in these channels. */
async function askInChannels(
  parts: Parameters<typeof askForApproval>[1] = {},
  channels = [webhookId],
): Promise<{ actionId: string }> {
  const asked = await askForApproval(api, parts);
  await api.database
    .system('webhook_deliveries')
    .whereIn('webhook_id', channels)
    .where({ asked_action: asked.actionId })
    .update({ status: 'delivered', result: JSON.stringify({ channel: 'C024BE91L', ts: '1.2' }) });
  return asked;
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
    const [first, second] = [await askInChannels(), await askInChannels()];
    expect(await press(first.actionId)).toEqual({ status: 200, text: '' });
    expect(await press(second.actionId, { button: 'holdfast_reject', userId: 'U7' })).toMatchObject({
      status: 200,
    });

    expect(await readAction(first.actionId)).toMatchObject({
      status: 'approved',
      decidedBy: { apiKeyId: await readMaker(webhookId), actingFor: 'Person U2CERLKJA' },
    });
    expect(await readAction(second.actionId)).toMatchObject({
      status: 'rejected',
      decidedBy: { actingFor: 'Person U7' },
    });
    expect(api.calls.told).toContain(first.actionId);
  });

  test('that is pressed twice, or by many at once, makes one decision', async () => {
    const { actionId } = await askInChannels();
    const presses = Array.from({ length: 10 }, (_, index) => press(actionId, { userId: `U1${index}` }));
    const statuses = (await Promise.all(presses)).map(({ status }) => status);

    expect(statuses).toEqual(statuses.map(() => 200));
    const decided = { type: 'action.decided', subject_id: actionId };
    await chainAudit(api.database.system);
    expect(await api.database.system('audit_events').where(decided)).toHaveLength(1);
  });

  test('of a call that is decided already puts the decision in place of the message', async () => {
    const responses = await startResponses();
    const { actionId } = await askInChannels();
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

  test('does not decide what only other people may decide', async () => {
    const responses = await startResponses();
    for (const parts of [
      { rules: { approvers: [['finance']], selfApproval: true } },
      { rules: { approvers: [], selfApproval: false }, start: { actingFor: 'person u2cerlkja' } },
      { rules: { approvers: [], selfApproval: false } },
    ]) {
      const { actionId } = await askInChannels(parts);
      expect((await press(actionId, { responseUrl: responses.url })).status).toBe(200);
      expect((await readAction(actionId)).status).toBe('pending');
    }
    const texts = (await responses.waitFor(3)).map(
      ({ response_type: type, text }) => `${type as string} ${text as string}`,
    );
    expect(texts.toSorted()).toEqual([
      expect.stringContaining('finance') as string,
      expect.stringContaining('Somebody else') as string,
      expect.stringContaining('Somebody else') as string,
    ]);
  });

  test('decides with the groups that both the member and the keys of the channel have today', async () => {
    const all = { groups: ['finance', 'legal'] };
    const key = await api.createKey(api.workspaceId, [...scopes], all);
    const ada = { teamId, userId: 'U2CERLKJA', person: 'Ada', groups: ['finance', 'legal'] };
    const channel = await createChannel({ key, approvers: [ada] });
    const finance = { rules: { approvers: [['finance']], selfApproval: false } };
    const [first, second] = [
      await askInChannels(finance, [channel]),
      await askInChannels(finance, [channel]),
    ];
    await press(first.actionId, { webhookId: channel });
    expect(await readAction(first.actionId)).toMatchObject({
      status: 'approved',
      decidedBy: { actingFor: 'Ada' },
    });

    const id = await readMaker(channel);
    await api.database
      .system('api_keys')
      .where({ id })
      .update({ groups: ['legal'] });
    await press(second.actionId, { webhookId: channel });
    expect((await readAction(second.actionId)).status).toBe('pending');
  });

  test('of a call that has expired says so', async () => {
    const responses = await startResponses();
    const { actionId } = await askInChannels();
    await api.database
      .system('pending_actions')
      .where({ id: actionId })
      .update({ expires_at: new Date(0) });
    expect((await press(actionId, { responseUrl: responses.url })).status).toBe(200);
    expect(JSON.stringify(await responses.waitFor(1))).toContain('Nobody decided in time');
  });

  test('tells who pressed that there is no such call, also for one of another workspace', async () => {
    const responses = await startResponses();
    const { actionId } = await askInChannels();
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

/** The key that has made a channel. */
async function readMaker(id: string): Promise<string> {
  const [row] = await api.database
    .system('webhooks')
    .where({ id })
    .select<{ created_by: { apiKeyId: string } }[]>('created_by');
  return row?.created_by.apiKeyId ?? '';
}

describe('a button that decides nothing', () => {
  /** Presses it, and returns why the action still waits. */
  async function refuse(actionId: string, parts: Parameters<typeof press>[1] = {}): Promise<string> {
    const responses = await startResponses();
    expect((await press(actionId, { responseUrl: responses.url, ...parts })).status).toBe(200);
    const [answer] = await responses.waitFor(1);
    expect(answer).toMatchObject({ response_type: 'ephemeral', replace_original: false });
    expect((await readAction(actionId)).status).toBe('pending');
    return answer?.['text'] as string;
  }

  test('is one that a member presses who is no approver of the channel', async () => {
    const { actionId } = await askInChannels();
    expect(await refuse(actionId, { userId: 'UBOSS' })).toContain('has no approver T1DC2JH3J/UBOSS');
  });

  test('is one of an action that another channel was asked about, or whose message is not posted yet', async () => {
    const other = await createChannel();
    const [posted, waiting] = [await askInChannels(), await askForApproval(api)];
    const later = await createChannel();
    expect(await refuse(posted.actionId, { webhookId: other })).toContain('not stored as posted yet');
    expect(await refuse(waiting.actionId)).toContain('not stored as posted yet');
    expect(await refuse(posted.actionId, { webhookId: later })).toContain('has not asked about this call');
  });

  test.each([{ signingSecret: 'planted-new-secret' }, { channel: 'C2' }, { approvers }])(
    'is one that was posted before a change of the channel',
    async (change) => {
      const channel = await createChannel();
      const { actionId } = await askInChannels({}, [channel]);
      expect((await api.call('PATCH', `/api/webhooks/${channel}`, { body: { slack: change } })).status).toBe(
        200,
      );
      const secret = { signingSecret: change.signingSecret ?? signingSecret, webhookId: channel };
      expect(await refuse(actionId, secret)).toContain('has not asked about this call');
      const next = await askInChannels({}, [channel]);
      await press(next.actionId, secret);
      expect((await readAction(next.actionId)).status).toBe('approved');
    },
  );

  test('is one of a channel whose maker or last changer lost the right to decide, or is not known', async () => {
    const key = await api.createKey(api.workspaceId, [...scopes]);
    const [made, changed, old] = [await createChannel({ key }), await createChannel(), await createChannel()];
    await api.call('PATCH', `/api/webhooks/${changed}`, { body: { enabled: true }, key });
    const { actionId } = await askInChannels({}, [made, changed, old]);
    await api.database
      .system('api_keys')
      .where({ id: await readMaker(made) })
      .update({ scopes: ['webhooks:write'] });
    await api.database.system('webhooks').where({ id: old }).update({ created_by: null });
    expect(await refuse(actionId, { webhookId: made })).toContain('lacks approvals:decide');
    expect(await refuse(actionId, { webhookId: changed })).toContain('lacks approvals:decide');
    expect(await refuse(actionId, { webhookId: old })).toContain('its maker is not known');
  });

  test('is one of a channel that a key changed that acts for somebody else', async () => {
    const channel = await createChannel({ approvers: [{ ...approvers[0], person: 'Ada' }] });
    const { actionId } = await askInChannels({}, [channel]);
    const changedBy = JSON.stringify({ apiKeyId: null, actingFor: 'Bob' });
    await api.database.system('webhooks').where({ id: channel }).update({ changed_by: changedBy });
    expect(await refuse(actionId, { webhookId: channel })).toContain('acts for Bob only');
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
    const { actionId } = await askInChannels();
    const { status, text } = await press(actionId, parts);

    expect({ status, code: (JSON.parse(text) as { error: { code: string } }).error.code }).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
    });
    expect((await readAction(actionId)).status).toBe('pending');
  });

  test('to a channel that is disabled, deleted or a URL is refused with 401', async () => {
    const { actionId } = await askInChannels();
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
    const { actionId } = await askInChannels();
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
