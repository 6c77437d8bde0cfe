import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PendingAction } from '../../../../src/domain/action.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { Delivery, Webhook } from '../../../../src/domain/webhook.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { eventually } from '../../../labs/eventually.ts';
import { startLabApi, type LabApi } from '../../../labs/lab-api.ts';
import { calculate } from '../../../labs/lab-tools.ts';
import { pressButton } from '../../../labs/slack-user.ts';
import { startTurnLab, type TurnLab } from '../../../labs/turn-lab.ts';
import { startVendorServer, type RecordedRequest, type VendorReply } from '../../../servers/vendor-server.ts';

const signingSecret = 'planted-signing-secret';
const token = 'xoxb-planted-token';
const guarded = { ...calculate, settings: { approval: 'ask' as const } };

let lab: TurnLab;
let api: LabApi;
beforeAll(async () => {
  lab = await startTurnLab({ environment: { HOLDFAST_WEBHOOK_PAUSES: '0.3,0.3,0.3,0.3,0.3' } });
  api = await startLabApi(lab);
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

/** Answers as Slack does: a message gets a timestamp, by which it is changed. */
function answerAsSlack({ target }: RecordedRequest): VendorReply {
  const ts = '1712345678.000100';
  if (target === '/chat.postMessage' || target === '/chat.update')
    return { body: { ok: true, channel: 'C024BE91L', ts } };
  return { body: { ok: false, error: 'unknown_method' } };
}

/** A channel of a workspace in Slack, that gets approvals, and an agent with a tool that asks. */
async function startScene(expression = '20 + 3', limits: { approvalTimeoutMs?: number } = {}) {
  const slack = await startVendorServer(answerAsSlack);
  onTestFinished(slack.close);
  const auth = { type: 'bearer', token };
  const { connection } = await api.ask<{ connection: { id: string } }>('POST', '/api/connections', {
    ...{ name: newId(), provider: 'slack', endpoint: slack.url, auth },
  });
  const approvers = [{ teamId: 'T1DC2JH3J', userId: 'U2CERLKJA', person: 'Ada' }];
  const channel = { connectionId: connection.id, channel: '#approvals', signingSecret, approvers };
  const { webhook } = await api.ask<{ webhook: Webhook }>('POST', '/api/webhooks', { slack: channel });
  onTestFinished(() => api.ask('DELETE', `/api/webhooks/${webhook.id}`));
  const scene = await lab.scene({ tools: [guarded], limits });
  const start = async () => {
    scene.reply({ toolCalls: [{ name: 'calculate', arguments: { expression } }] }, { text: 'Done.' });
    const turnId = await scene.say('planted question');
    const [action] = await lab.waitForActions(turnId);
    return { turnId, actionId: action?.id ?? '' };
  };
  const requestsTo = (target: string) => slack.requests.filter((request) => request.target === target);
  const waitForRequest = async (target: string) => {
    const [request] = await eventually(
      () => requestsTo(target),
      ({ length }) => length > 0,
    );
    return toInput(request);
  };
  const press = (actionId: string, button: 'holdfast_approve' | 'holdfast_reject') =>
    pressButton({ url: api.url, webhookId: webhook.id, signingSecret, actionId, button });
  const list = async () => {
    const path = `/api/webhooks/${webhook.id}/deliveries`;
    return (await api.ask<{ deliveries: Delivery[] }>('GET', path)).deliveries;
  };
  return { slack, webhook, start, requestsTo, waitForRequest, press, list };
}

/** The form of a request, with its blocks. */
function toInput(request: RecordedRequest | undefined) {
  const form = new URLSearchParams(request?.body ?? '');
  const blocks = JSON.parse(form.get('blocks') ?? '[]') as JsonObject[];
  return { authorization: request?.headers['authorization'], form, blocks, text: JSON.stringify(blocks) };
}

describe('an approval in Slack', () => {
  test('is asked for with buttons, and the message then says who decided', async () => {
    const scene = await startScene();
    const { turnId, actionId } = await scene.start();
    const asked = await scene.waitForRequest('/chat.postMessage');

    expect(asked.authorization).toBe(`Bearer ${token}`);
    expect(asked.form.get('channel')).toBe('#approvals');
    expect(asked.text).toContain('20 + 3');
    expect(asked.text).not.toContain('planted');
    expect(asked.blocks.at(-1)).toMatchObject({
      elements: [
        { action_id: 'holdfast_approve', value: actionId },
        { action_id: 'holdfast_reject', value: actionId },
      ],
    });
    // The message is stored as posted a moment after Slack has it; a press before that is answered, and decides nothing.
    await eventually(scene.list, (all) => all[0]?.status === 'delivered');
    expect((await scene.press(actionId, 'holdfast_approve')).status).toBe(200);
    const turn = await lab.waitForOutcome(turnId);
    const changed = await scene.waitForRequest('/chat.update');

    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'succeeded', result: '23' }] });
    expect(changed.form.get('ts')).toBe('1712345678.000100');
    expect(changed.form.get('channel')).toBe('C024BE91L');
    expect(changed.text).toContain('Approved by Ada');
    expect(changed.text).not.toContain('holdfast_approve');
    const { action } = await api.ask<{ action: PendingAction }>('GET', `/api/pending-actions/${actionId}`);
    expect(action.decidedBy).toMatchObject({ apiKeyId: expect.any(String) as string, actingFor: 'Ada' });
  });

  test('that is decided elsewhere, or expires, changes its message too', async () => {
    const scene = await startScene();
    const { turnId, actionId } = await scene.start();
    await scene.waitForRequest('/chat.postMessage');
    const decision = { decision: 'reject', actingFor: 'Ada', reason: 'Too much.' };
    await api.ask('POST', `/api/pending-actions/${actionId}/decision`, decision);
    expect((await scene.waitForRequest('/chat.update')).text).toContain('Rejected by Ada: Too much.');
    await lab.waitForOutcome(turnId);

    const hasty = await startScene('1 + 1', { approvalTimeoutMs: 5_000 });
    await hasty.start();
    expect((await hasty.waitForRequest('/chat.update')).text).toContain('Nobody decided in time');
  });

  test('is posted when Slack fails at first, and not at all when it was decided meanwhile', async () => {
    const scene = await startScene();
    scene.slack.next({ body: { ok: false, error: 'channel_not_found' } }, { status: 503 });
    const first = await scene.start();
    const [delivery] = await eventually(scene.list, (all) => all[0]?.status === 'delivered');
    expect(delivery).toMatchObject({ type: 'turn.action_required', attemptCount: 3 });
    const { delivery: details } = await api.ask<{ delivery: { attempts: { error: string | null }[] } }>(
      'GET',
      `/api/webhooks/${scene.webhook.id}/deliveries/${delivery?.id ?? ''}`,
    );
    expect(details.attempts.map(({ error }) => error)).toEqual([
      'Slack: channel_not_found',
      expect.stringContaining('HTTP 503') as string,
      null,
    ]);
    await scene.press(first.actionId, 'holdfast_reject');
    await lab.waitForOutcome(first.turnId);
    await scene.waitForRequest('/chat.update');

    const late = await startScene('2 + 2');
    late.slack.next({ status: 503 });
    const second = await late.start();
    await eventually(
      () => late.slack.requests,
      ({ length }) => length === 1,
    );
    await api.ask('POST', `/api/pending-actions/${second.actionId}/decision`, { decision: 'approve' });
    await lab.waitForOutcome(second.turnId);
    await eventually(late.list, (all) => all.every(({ status }) => status === 'delivered'));
    expect(late.requestsTo('/chat.update')).toEqual([]);
  });
});
