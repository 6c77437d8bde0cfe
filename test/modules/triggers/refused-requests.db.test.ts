import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Trigger } from '../../../src/modules/triggers/trigger.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { deleteWorkspace } from '../../../src/modules/workspaces/delete-workspace.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { hookSecret, newIssue, startHookScene, type HookScene } from '../../labs/trigger-scene.ts';
import {
  deliver,
  fromGitHub,
  fromSlack,
  fromStripe,
  type VendorDelivery,
} from '../../labs/vendor-deliveries.ts';

const secret = hookSecret;
const issue = newIssue;

let hooks: HookScene;
beforeAll(async () => {
  hooks = await startHookScene();
});
afterAll(() => hooks.api.stop());

describe('a request', () => {
  /** The answer to every request that is not signed. */
  const refusal = { status: 401, body: { error: { code: 'UNAUTHORIZED' } } };

  test.each([
    ['whose body was changed', ({ body, headers }: VendorDelivery) => ({ body: `${body} `, headers })],
    ['that another secret has signed', () => fromGitHub({ secret: 'another secret', payload: issue })],
    ['without a signature', ({ body }: VendorDelivery) => ({ body, headers: {} })],
  ])('%s is refused and starts nothing, and one a minute is listed', async (_title, change) => {
    const trigger = await hooks.createTrigger();
    const request = change(fromGitHub({ secret, payload: issue }));
    for (let sent = 0; sent < 3; sent++) expect(await deliver(trigger.url, request)).toMatchObject(refusal);
    const listed = await hooks.list(trigger.id);
    // The minute may end between two requests.
    expect(listed.length).toBeLessThan(3);
    expect(listed[0]).toMatchObject({ status: 'refused', turnId: null, deliveryId: null });
  });

  test('that was signed six minutes ago is refused, and that of four minutes is taken', async () => {
    const trigger = await hooks.createTrigger({}, { provider: 'stripe' });
    const sign = (minutes: number) =>
      fromStripe({ secret, payload: { id: newId(), type: 'a' }, at: Date.now() - minutes * 60_000 });
    expect(await deliver(trigger.url, sign(6))).toMatchObject(refusal);
    expect(await hooks.list(trigger.id)).toMatchObject([
      { status: 'refused', reason: 'it was signed too long ago, or in the future' },
    ]);
    expect(await deliver(trigger.url, sign(4))).toMatchObject({ status: 200 });
  });

  test('to no trigger, or to a deleted one, gets the same answer as one without a signature', async () => {
    const trigger = await hooks.createTrigger();
    const delivery = fromGitHub({ secret, payload: issue });
    const unsigned = await deliver(trigger.url, { ...delivery, headers: {} });
    await hooks.ask('DELETE', `/api/triggers/${trigger.id}`);
    const hidden = (reply: object) => JSON.stringify(reply).replaceAll(/[0-9a-f-]{36}/g, '');
    for (const url of [trigger.url, `${hooks.api.url}/hooks/${newId()}`, `${hooks.api.url}/hooks/none`])
      expect(hidden(await deliver(url, delivery))).toBe(hidden(unsigned));
  });

  test('to a trigger of a deleted workspace is refused', async () => {
    const { workspaceId, key } = await hooks.api.createWorkspace();
    const made = await hooks.api.call('POST', '/api/agents', {
      ...{ key, body: { name: 'Plain', model: 'demo', instructions: 'Answer.' } },
    });
    const action = { kind: 'turn', agentId: made.data.agent.id };
    const body = { name: 'Gone', provider: 'github', events: ['*'], secret, action };
    const { data } = await hooks.api.call('POST', '/api/triggers', { key, body });
    const { url } = (data as unknown as { trigger: Trigger }).trigger;
    await deleteWorkspace(hooks.api, workspaceId);
    expect(await deliver(url, fromGitHub({ secret, payload: issue }))).toMatchObject(refusal);
  });

  test('that checks the URL gets its challenge back when it is signed, and starts nothing', async () => {
    const trigger = await hooks.createTrigger({}, { provider: 'slack' });
    const payload = { type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV' };
    const reply = await deliver(trigger.url, fromSlack({ secret, payload }));
    expect(reply).toEqual({ status: 200, body: { challenge: '3eZbrw1aBm2rZgRNFdxV' } });
    expect(await deliver(trigger.url, fromSlack({ secret: 'not this one', payload }))).toMatchObject(refusal);
    expect(await hooks.list(trigger.id)).toMatchObject([{ status: 'refused' }]);
  });

  test('that is larger than 1 MiB is refused before it is read', async () => {
    const trigger = await hooks.createTrigger();
    const payload = { text: 'x'.repeat(1024 * 1024) };
    expect(await deliver(trigger.url, fromGitHub({ secret, payload }))).toMatchObject({ status: 413 });
  });

  test('beyond the limit of the trigger is answered with 429, and is taken when it comes later', async () => {
    const trigger = await hooks.createTrigger({}, { maxPerMinute: 1 });
    const send = () => deliver(trigger.url, fromGitHub({ secret, payload: { ...issue, n: newId() } }));
    const statuses = [await send(), await send(), await send()].map(({ status }) => status);
    // The minute may end between two requests.
    expect(statuses).toContain(429);
    expect(statuses[0]).toBe(200);
  });
});

describe('the secret of a trigger', () => {
  test('is made unless it is given, shown once, and stored sealed', async () => {
    const action = { kind: 'turn', agentId: hooks.agentId };
    const { trigger, secret: made } = await hooks.create({ action });
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    const delivery = fromGitHub({ secret: made ?? '', payload: issue });
    expect(await hooks.deliver(trigger, delivery)).toMatchObject({ status: 'started' });
    const shown = await hooks.ask('GET', `/api/triggers/${trigger.id}`);
    expect(JSON.stringify(shown)).not.toContain(made);
    expect(JSON.stringify(await hooks.ask('GET', '/api/triggers'))).not.toContain(made);
    await chainAudit(hooks.api.database.system);
    const stored = JSON.stringify([
      await hooks.api.database.system('triggers').where({ id: trigger.id }),
      await hooks.api.database.system('audit_events').where({ subject_id: trigger.id }),
    ]);
    expect(stored).not.toContain(made);
    expect(stored).not.toContain(Buffer.from(made ?? '').toString('base64'));
    expect(hooks.api.logLines.join('')).not.toContain(made);
  });

  test('of a vendor that makes it is set later; until then every delivery is refused', async () => {
    const { trigger, secret: made } = await hooks.create({
      ...{ provider: 'stripe', action: { kind: 'turn', agentId: hooks.agentId } },
    });
    expect({ made, has: trigger.hasSecret }).toEqual({ made: null, has: false });
    const delivery = fromStripe({ secret, payload: { id: newId(), type: 'a' } });
    expect(await deliver(trigger.url, delivery)).toMatchObject({ status: 401 });
    expect(await hooks.list(trigger.id)).toMatchObject([{ reason: 'the secret of the trigger is not set' }]);
    const without = await hooks.api.call('POST', `/api/triggers/${trigger.id}/rotate-secret`, { body: {} });
    expect(without).toMatchObject({ status: 400, error: { details: [{ field: 'secret' }] } });
    await hooks.ask('POST', `/api/triggers/${trigger.id}/rotate-secret`, { secret });
    expect(await hooks.deliver(trigger, delivery)).toMatchObject({ status: 'started' });
  });

  test('counts along with a new one for the time of the overlap, and not without an overlap', async () => {
    const trigger = await hooks.createTrigger();
    const send = (by: string) => deliver(trigger.url, fromGitHub({ secret: by, payload: { n: newId() } }));
    const rotate = (body: object) =>
      hooks.ask<{ trigger: Trigger; secret: string }>(
        'POST',
        `/api/triggers/${trigger.id}/rotate-secret`,
        body,
      );
    const rotated = await rotate({});
    expect(rotated.trigger.oldSecretsUntil).not.toBeNull();
    expect([(await send(secret)).status, (await send(rotated.secret)).status]).toEqual([200, 200]);
    await rotate({ overlapMs: 0, secret: 'a third secret'.replaceAll(' ', '-') });
    expect((await send(rotated.secret)).status).toBe(401);
    expect((await send('a-third-secret')).status).toBe(200);
  });
});
