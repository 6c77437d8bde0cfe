import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../labs/eventually.ts';
import { startLabApiProcess } from '../../labs/lab-api.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startWebhookScene } from '../../labs/webhook-scene.ts';
import { startTcpProxy } from '../../servers/tcp-proxy.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await startTurnLab({ environment: { HOLDFAST_WEBHOOK_PAUSES: '0.2,0.3,0.5,1' } });
});
afterAll(() => lab.close());

describe('a delivery is not lost', () => {
  test('when the process that stored it is killed before it started it', async () => {
    const webhook = await startWebhookScene(lab, ['turn.settled']);
    const proxy = await startTcpProxy(`tcp://${lab.environment['TEMPORAL_ADDRESS'] ?? ''}`);
    onTestFinished(proxy.close);
    const api = await startLabApiProcess(lab, { TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` });
    onTestFinished(api.kill);
    const scene = await lab.scene();
    scene.reply({ text: 'The sweeper has started this turn.' });
    const first = await scene.submit('Hello');
    const queued = await scene.submit('planted', { onBusy: 'enqueue' });
    proxy.hold();
    await api.ask('POST', `/api/turns/${queued.turnId}/cancel`);
    const stored = await webhook.waitFor(() => true);
    await api.kill();
    expect(stored).toMatchObject({ status: 'pending', attemptCount: 0 });
    expect(webhook.receiver.requests).toEqual([]);
    // The sweeper leaves it to its process for ten seconds, and starts the other turn meanwhile.
    const delivered = await eventually(
      async () => {
        await lab.sweep();
        return (await webhook.list()).find(({ id }) => id === stored.id);
      },
      (delivery) => delivery?.status === 'delivered',
    );

    expect(delivered?.data).toMatchObject({ turnId: queued.turnId, outcome: 'cancelled' });
    await lab.waitForOutcome(first.turnId);
    const told = webhook.receiver.requests.map(({ body }) => body);
    expect(told.filter((body) => body.includes(queued.turnId))).toHaveLength(1);
  });
});
