import { describe, expect, it } from 'vitest';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';

const webhook = {
  ...{ id: 'hook-1', url: 'https://receiver.example', events: ['turn.settled'], enabled: true },
  ...{ disabledAt: null, disabledReason: null, oldSecretsUntil: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
};
const delivery = {
  ...{ id: 'delivery-1', webhookId: 'hook-1', type: 'turn.settled', data: {}, status: 'failed' },
  ...{ attemptCount: 10, createdAt: '2026-01-01T00:00:00.000Z', nextAttemptAt: null, endedAt: null },
};

describe('holdfast webhooks', () => {
  it('lists webhooks, and why one is disabled', async () => {
    const disabled = { ...webhook, id: 'hook-2', disabledReason: 'Its receiver answered 410 Gone.' };
    const api = await startScriptedApi({
      'GET /api/webhooks': answerWith({ webhooks: [webhook, disabled], nextCursor: null }),
    });
    const { stdout } = await runCli(['webhooks', 'list'], { environment: toEnvironment(api) });

    expect(stdout).toBe(
      'hook-1  https://receiver.example  turn.settled\n' +
        'hook-2  https://receiver.example  turn.settled  disabled: Its receiver answered 410 Gone.\n',
    );
  });

  it('creates, rotates and deletes one', async () => {
    const rotated = { ...webhook, oldSecretsUntil: '2026-01-02T00:00:00.000Z' };
    const api = await startScriptedApi({
      'POST /api/webhooks': answerWith({ webhook, secret: 'whsec_one' }, 201),
      'POST /api/webhooks/hook-1/rotate-secret': answerWith({ webhook: rotated, secret: 'whsec_two' }),
      'DELETE /api/webhooks/hook-1': answerWith({ deleted: true }),
    });
    const environment = toEnvironment(api);
    const run = async (...words: string[]) => (await runCli(['webhooks', ...words], { environment })).stdout;

    expect(await run('create', webhook.url, '--events', 'turn.settled,action.decided')).toBe(
      'Webhook hook-1 is created. Its secret, which is not shown again:\nwhsec_one\n',
    );
    expect(api.to('POST /api/webhooks').map(({ body }) => body)).toEqual([
      { url: webhook.url, events: ['turn.settled', 'action.decided'] },
    ]);
    expect(await run('rotate', 'hook-1')).toBe(
      'The new secret of webhook hook-1, which is not shown again:\nwhsec_two\n' +
        'The old one signs along until 2026-01-02T00:00:00.000Z.\n',
    );
    expect(await run('delete', 'hook-1')).toBe('Webhook hook-1 is deleted.\n');
  });

  it('lists deliveries by status, and sends one again', async () => {
    const list = 'GET /api/webhooks/hook-1/deliveries';
    const api = await startScriptedApi({
      [list]: answerWith({ deliveries: [delivery], nextCursor: null }),
      'POST /api/webhooks/hook-1/deliveries/delivery-1/resend': answerWith(
        { delivery: { ...delivery, attempts: [] } },
        202,
      ),
    });
    const environment = toEnvironment(api);
    const listed = await runCli(['webhooks', 'deliveries', 'hook-1', '--status', 'failed'], { environment });
    const resent = await runCli(['webhooks', 'resend', 'delivery-1', '--webhook', 'hook-1'], {
      environment,
    });

    expect(listed.stdout).toBe('delivery-1  2026-01-01T00:00:00.000Z  turn.settled  failed  attempts 10\n');
    expect(api.to(list)[0]?.query).toMatchObject({ status: 'failed' });
    expect(resent.stdout).toBe('Delivery delivery-1 is sent again.\n');
  });
});
