import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../src/modules/workspaces/keys/api-key-repository.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { parseApiKeyText } from '../../../src/modules/workspaces/keys/api-key-text.ts';
import { loadActor } from '../../../src/modules/workspaces/stored-actor.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { createLabKey } from '../../labs/lab-api.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startWebhookScene } from '../../labs/webhook-scene.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await shareTurnLab();
});
afterAll(() => lab.close());

const keys = () => createApiKeyRepository(lab.database.system);

/** Makes a key, and returns its actor. */
async function createMaker(
  scopes: readonly Scope[] = ['webhooks:write'],
): Promise<Actor & { apiKeyId: string }> {
  const apiKeyId = parseApiKeyText(await createLabKey(lab, scopes))?.id ?? '';
  const { workspaceId } = lab;
  const ref = { apiKeyId, actingFor: null };
  const actor = await lab.database.transact(workspaceId, (query) => loadActor(query, { workspaceId, ref }));
  if (!actor) throw new Error('the key has no actor');
  return { ...actor, apiKeyId };
}

const losses = {
  'was revoked': (id: string) => keys().revokeApiKey(id),
  expired: (id: string) =>
    lab.database
      .system('api_keys')
      .where({ id })
      .update({ expires_at: new Date(0) }),
  'lacks webhooks:write': (id: string) => keys().grantScopes(id, ['webhooks:read']),
};

const cases = Object.entries(losses).flatMap(([reason, lose]) => [
  { reason, lose, who: 'maker' as const },
  { reason, lose, who: 'changer' as const },
]);

test.each(cases)(
  'a webhook whose $who $reason tells nobody anything, until somebody enables it',
  async (one) => {
    const { reason, lose, who } = one;
    const [maker, changer] = [await createMaker(), await createMaker()];
    const webhook = await startWebhookScene(lab, ['turn.settled'], { maker });
    await webhook.change(changer, { events: ['turn.settled', 'turn.action_required'] });
    await webhook.deliver('turn.settled');
    await webhook.waitFor(({ status }) => status === 'delivered');

    await lose(who === 'maker' ? maker.apiKeyId : changer.apiKeyId);
    await webhook.deliver('turn.settled');
    await webhook.waitFor(({ status }) => status === 'cancelled');
    expect(webhook.receiver.requests).toHaveLength(1);
    const found = await webhook.read();
    expect(found).toMatchObject({
      enabled: false,
      disabledReason: expect.stringContaining(reason) as string,
    });
    await chainAudit(lab.database.system);
    const audit = lab.database
      .system('audit_events')
      .where({ subject_id: webhook.id, type: 'webhook.disabled' });
    expect(await audit.select('payload')).toEqual([{ payload: { reason: found.disabledReason } }]);

    await webhook.change(await createMaker(), { enabled: true });
    await webhook.deliver('turn.settled');
    await webhook.waitFor(({ status }) => status === 'delivered');
    expect(webhook.receiver.requests).toHaveLength(2);
  },
);

test('a change that does not enable a webhook leaves it to its maker', async () => {
  const [maker, changer] = [await createMaker(), await createMaker()];
  const webhook = await startWebhookScene(lab, ['turn.settled'], { maker });
  await keys().revokeApiKey(maker.apiKeyId);
  await webhook.change(changer, { events: ['turn.settled'] });
  await webhook.deliver('turn.settled');
  await webhook.waitFor(({ status }) => status === 'cancelled');
  expect(webhook.receiver.requests).toHaveLength(0);
});
