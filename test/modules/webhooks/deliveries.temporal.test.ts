import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { toDeliveryWorkflowId } from '../../../src/modules/webhooks/deliveries/delivery-contract.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { agentTool } from '../../labs/child-tools.ts';
import { eventually } from '../../labs/eventually.ts';
import { recordWorkflow } from '../../labs/histories.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startWebhookScene, verifyRequest, type WebhookScene } from '../../labs/webhook-scene.ts';
import { startHttpServer } from '../../servers/http-server.ts';

/** The three days of the schedule in two seconds. */
const pauses = { HOLDFAST_WEBHOOK_PAUSES: '0.2,0.3,0.5,1' };

let lab: TurnLab;
beforeAll(async () => {
  lab = await startTurnLab({ environment: pauses });
});
afterAll(() => lab.close());

async function listAudit(subjectId: string) {
  await chainAudit(lab.database.system);
  const events = lab.database.system('audit_events').where({ subject_id: subjectId }).orderBy('seq');
  return events.select<{ type: string; payload: object }[]>('type', 'payload');
}

/** Waits until the workflow of a delivery has ended, and returns its result. */
function waitForWorkflow(deliveryId: string): Promise<unknown> {
  return lab.client.workflow.getHandle(toDeliveryWorkflowId({ deliveryId })).result();
}

function toIds({ receiver }: WebhookScene): Set<string | undefined> {
  return new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
}

describe('a turn', () => {
  test.each(executionModes)(
    'in %s execution is told when it settles, and a receiver that fails gets the same message again',
    async (execution) => {
      const webhook = await startWebhookScene(lab, ['turn.settled']);
      webhook.reply({ status: 500, body: 'not now' }, 'destroy', { status: 201, body: 'thanks' });
      const scene = await lab.scene({ execution });
      scene.reply({ text: 'planted answer' });
      const turnId = await scene.say('planted question');
      await lab.waitForOutcome(turnId);
      const delivery = await webhook.waitFor(({ status }) => status === 'delivered');

      expect(delivery.attempts).toMatchObject([
        { status: 500, answer: 'not now', error: 'It answered 500.' },
        { status: null, answer: null, error: 'It could not be reached: the connection was closed.' },
        { status: 201, answer: 'thanks', error: null },
      ]);
      expect(delivery).toMatchObject({ attemptCount: 3, nextAttemptAt: null });
      expect(webhook.receiver.requests).toHaveLength(3);
      expect(toIds(webhook)).toEqual(new Set([delivery.id]));
      for (const request of webhook.receiver.requests) {
        const message = await verifyRequest(webhook.secret, request);
        expect(message).toEqual({
          type: 'turn.settled',
          timestamp: delivery.createdAt,
          data: {
            turnId,
            conversationId: scene.conversationId,
            agentId: scene.agent.id,
            outcome: 'completed',
          },
        });
        expect(request.body).not.toContain('planted');
      }
      expect(await waitForWorkflow(delivery.id)).toEqual({
        status: 'delivered',
        attempts: 3,
        lastAnswer: '201',
      });
    },
  );

  test('that waits for an approval below another agent tells of the turn above, once', async () => {
    const webhook = await startWebhookScene(lab, ['turn.settled', 'turn.action_required', 'action.decided']);
    const guarded = { ...calculate, settings: { approval: 'ask' as const } };
    const helper = await lab.scene({ tools: [guarded] });
    const top = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
    top.reply({ toolCalls: [{ name: 'helper', arguments: { message: 'planted' } }] }, { text: 'planted' });
    helper.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] },
      { text: 'planted' },
    );
    const turnId = await top.say('planted');
    const [action] = await lab.waitForActions(turnId);
    await webhook.waitForRequests(1);
    await lab.decide(action?.id ?? '', { decision: 'approve', reason: 'planted' });
    await lab.waitForOutcome(turnId);
    // The decision was stored by this process, which starts no deliveries.
    await lab.database
      .system('webhook_deliveries')
      .where({ status: 'pending' })
      .update({ next_attempt_at: new Date(0) });
    await lab.sweep();
    const requests = await webhook.waitForRequests(3);

    const messages = requests.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    const ids = { actionId: action?.id, kind: 'approval', turnId: action?.turnId, rootTurnId: turnId };
    expect(messages.find(({ type }) => type === 'turn.action_required')?.data).toMatchObject(ids);
    expect(messages.find(({ type }) => type === 'action.decided')?.data).toMatchObject({
      ...ids,
      status: 'approved',
    });
    expect(messages.filter(({ type }) => type === 'turn.settled').map(({ data }) => data)).toMatchObject([
      { turnId },
    ]);
    expect(JSON.stringify(messages)).not.toMatch(/planted|\+/);
  });
});

describe('a receiver', () => {
  test('that redirects to loopback is not followed, and the webhook is disabled after the last attempt', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready', 'document.failed']);
    const other = await startHttpServer((_request, response) => response.end('followed'));
    onTestFinished(other.close);
    const redirect = { status: 302, headers: { location: other.url } };
    webhook.reply(...Array.from({ length: 5 }, () => redirect));
    await webhook.tell('document.failed');
    const id = await webhook.deliver('document.ready');
    const delivery = await webhook.waitFor(({ status }) => status === 'failed');

    const error = 'It answered 302; redirects are not followed.';
    expect(delivery.attempts).toMatchObject(Array.from({ length: 5 }, () => ({ status: 302, error })));
    const times = delivery.attempts.map(({ at }) => Date.parse(at));
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, least] of [200, 300, 500, 1000].entries())
      expect(waits[index]).toBeGreaterThanOrEqual(least);
    const disabledReason = `Delivery ${id} failed 5 times. The last time: ${error}`;
    const disabled = await webhook.read();
    expect(disabled).toMatchObject({ enabled: false, disabledReason });
    expect(Date.parse(disabled.disabledAt ?? '')).toBeGreaterThan(times.at(-1) ?? Infinity);
    expect((await listAudit(webhook.id)).at(-1)).toMatchObject({
      type: 'webhook.disabled',
      payload: { reason: disabledReason },
    });
    expect((await webhook.list()).map(({ status }) => status).toSorted()).toEqual(['cancelled', 'failed']);
    await webhook.tell('document.ready');
    expect(await webhook.list()).toHaveLength(2);
    expect(webhook.receiver.requests).toHaveLength(5);
  });

  test('that refuses one message and takes a newer one keeps its webhook', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready', 'document.failed'], {
      answer: ({ body }) => (body.includes('document.failed') ? { status: 422 } : {}),
    });
    await webhook.deliver('document.failed');
    await webhook.deliver('document.ready');
    const [taken, refused] = await eventually(webhook.list, (list) =>
      list.every(({ status }) => status !== 'pending'),
    );

    expect([taken?.status, refused?.status, refused?.attemptCount]).toEqual(['delivered', 'failed', 5]);
    expect((await webhook.read()).enabled).toBe(true);
  });

  test('that answers 410 disables its webhook at once', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready']);
    webhook.reply({ status: 410 });
    await webhook.deliver('document.ready');
    await webhook.waitFor(({ status }) => status === 'failed');

    expect(webhook.receiver.requests).toHaveLength(1);
    expect(await webhook.read()).toMatchObject({
      enabled: false,
      disabledReason: 'Its receiver answered 410 Gone.',
    });
  });

  test('that is slow gets its message once', async () => {
    let received = 0;
    const slow = await startHttpServer(async (_request, response) => {
      received += 1;
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      response.end();
    });
    onTestFinished(slow.close);
    const webhook = await startWebhookScene(lab, ['document.ready'], { toUrl: () => slow.url });
    await webhook.deliver('document.ready');
    const delivery = await webhook.waitFor(({ status }) => status === 'delivered');

    expect(received).toBe(1);
    expect(delivery.attempts[0]?.durationMs).toBeGreaterThanOrEqual(2_900);
  });

  test('that asks to wait is waited for, and a resend by hand does not wait', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready']);
    webhook.reply({ status: 503, headers: { 'retry-after': '3600' } });
    const id = await webhook.deliver('document.ready');
    const waiting = await webhook.waitFor(({ attemptCount }) => attemptCount === 1);
    expect(waiting.status).toBe('pending');
    const waitMs = Date.parse(waiting.nextAttemptAt ?? '') - Date.parse(waiting.attempts[0]?.at ?? '');
    expect(waitMs).toBeGreaterThan(3_590_000);
    await webhook.resend(id);
    const delivery = await webhook.waitFor(({ status }) => status === 'delivered');

    expect(delivery.attemptCount).toBe(2);
    expect(toIds(webhook)).toEqual(new Set([id]));
    expect(await waitForWorkflow(id)).toMatchObject({ status: 'delivered', attempts: 2 });
    await recordWorkflow(lab, 'webhook-delivery', toDeliveryWorkflowId({ deliveryId: id }));
  });

  test('gets a message again that a person sends again, under its id, and one attempt is made', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready']);
    const id = await webhook.deliver('document.ready');
    await webhook.waitFor(({ status }) => status === 'delivered');
    webhook.reply({ status: 500 });
    await webhook.resend(id);
    await webhook.waitFor(({ status }) => status === 'failed');
    expect((await webhook.read()).enabled).toBe(true);
    await webhook.resend(id);
    const delivery = await webhook.waitFor(({ status }) => status === 'delivered');

    expect(delivery.attempts.map(({ status }) => status)).toEqual([200, 500, 200]);
    expect(toIds(webhook)).toEqual(new Set([id]));
    for (const request of webhook.receiver.requests) await verifyRequest(webhook.secret, request);
  });

  test('verifies by its old and by its new secret while both sign', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready']);
    const rotated = await webhook.rotate(60_000);
    await webhook.deliver('document.ready');
    await webhook.waitFor(({ status }) => status === 'delivered');
    const last = await webhook.rotate(0);
    await webhook.deliver('document.ready');
    await webhook.waitForRequests(2);
    const [during, after] = webhook.receiver.requests;

    if (!during || !after) throw new Error('a request is missing');
    expect(await verifyRequest(webhook.secret, during)).toEqual(await verifyRequest(rotated.secret, during));
    await expect(verifyRequest(last.secret, during)).rejects.toThrow();
    expect(await verifyRequest(last.secret, after)).toEqual(await verifyRequest(webhook.secret, after));
    // The overlap of the second rotation was nothing.
    await expect(verifyRequest(rotated.secret, after)).rejects.toThrow();
  });
});

describe('a delivery is not lost', () => {
  test('when Temporal has lost its workflow between two attempts', async () => {
    const webhook = await startWebhookScene(lab, ['document.ready']);
    webhook.reply({ status: 503, headers: { 'retry-after': '3600' } });
    const id = await webhook.deliver('document.ready');
    await webhook.waitFor(({ attemptCount }) => attemptCount === 1);
    await lab.client.workflow.getHandle(toDeliveryWorkflowId({ deliveryId: id })).terminate();
    await lab.sweep();
    expect(webhook.receiver.requests).toHaveLength(1);
    const due = { next_attempt_at: new Date(Date.now() - 60_000) };
    await lab.database.system('webhook_deliveries').where({ id }).update(due);
    await lab.sweep();

    const delivery = await webhook.waitFor(({ status }) => status === 'delivered');
    expect(delivery.attemptCount).toBe(2);
    expect(toIds(webhook)).toEqual(new Set([id]));
  });
});

test('without leave to reach loopback no request is sent there, by address or by name', async () => {
  const closed = await startTurnLab({ environment: { ...pauses, HOLDFAST_ALLOW_LOOPBACK: 'false' } });
  onTestFinished(() => closed.close());
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
    const webhook = await startWebhookScene(closed, ['document.ready'], {
      toUrl: (url) => url.replace('127.0.0.1', host),
    });
    await webhook.deliver('document.ready');
    const { attempts } = await webhook.waitFor(({ attemptCount }) => attemptCount > 0);

    expect(attempts[0]?.error).toMatch(/^Requests to \S+ are refused/);
    expect(webhook.receiver.requests).toEqual([]);
  }
});
