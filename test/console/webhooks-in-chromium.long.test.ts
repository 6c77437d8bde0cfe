import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/lib/ids.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { startWebhookScene } from '../labs/webhook-scene.ts';

const hostile = '<img src=x onerror="window.ran=true">';

let chromium: ConsoleLab;
let lab: TurnLab;
let api: LabApi;

beforeAll(async () => {
  chromium = await startConsole();
  lab = await startTurnLab({ environment: { HOLDFAST_WEBHOOK_PAUSES: '0.1' } });
  api = await startLabApi(lab);
});
afterAll(async () => {
  await chromium.stop();
  await api.stop();
  await lab.close();
});

describe('the page of a webhook', () => {
  test('is created by keyboard with a secret that is shown once, changed, disabled and deleted', async () => {
    const page = await chromium.open(api, '/webhooks');
    await page.getByText('There is no webhook yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Address').fill('https://hooks.example.com/holdfast');
    await page.getByRole('checkbox', { name: 'action.decided' }).focus();
    await page.keyboard.press('Space');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    const once = page.getByRole('dialog', { name: 'The secret is shown once' });
    const secret = await once.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await expectNoBarriers(page);
    await once.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('heading', { name: 'https://hooks.example.com/holdfast' }).waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'action.decided' }).uncheck();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing was sent yet').waitFor();
    await page.getByText('turn.settled, turn.action_required', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Rotate the secret …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    expect(await once.getByLabel('Secret').inputValue()).not.toBe(secret);
    await once.getByRole('button', { name: 'I have it' }).click();
    await page.getByText('the old secret signs too until').waitFor();

    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('header').getByText('disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no webhook yet').waitFor();
  });

  test('shows a failed delivery with what was answered as text, and sends it again', async () => {
    const webhook = await startWebhookScene(lab, ['turn.settled']);
    webhook.reply({ status: 500, body: `not now ${hostile}` }, { status: 500, body: 'not yet' });
    const scene = await lab.scene();
    scene.reply({ text: 'Hello.' });
    const turnId = await scene.say('Is it told?');
    await lab.waitForOutcome(turnId);
    const { id } = await webhook.waitFor(({ status }) => status === 'failed');
    const page = await chromium.open(api, `/webhooks/${webhook.id}`);
    await page.getByRole('link', { name: 'turn.settled' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`not now ${hostile}`).waitFor();
    await page.getByText('It answered 500.').nth(1).waitFor();
    await page.getByText(id, { exact: true }).waitFor();
    await expectNoBarriers(page);
    // A webhook whose delivery has failed for good is disabled, and sends nothing until it is enabled again.
    await page.getByText(/^Disabled/).waitFor();
    expect(await page.getByRole('button', { name: 'Send it again' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Send it again' }).focus();
    await page.keyboard.press('Enter');
    // The receiver answers with 200 now, and the page follows what changes.
    await page.getByRole('listitem').filter({ hasText: '200' }).waitFor();
    await page.getByLabel('State of deliveries').selectOption('failed');
    await page.getByText('No delivery has this state').waitFor();
    await page.getByLabel('State of deliveries').selectOption('delivered');
    await page.getByRole('link', { name: 'turn.settled' }).click();
    await page.getByRole('link', { name: 'Open the turn' }).click();
    await page.getByRole('heading', { name: 'Is it told?' }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('shows a viewer no button that would be refused, on a phone', async () => {
    const webhook = await startWebhookScene(lab, ['turn.settled']);
    await webhook.deliver('turn.settled', { turnId: lab.workspaceId });
    await webhook.waitFor(({ status }) => status === 'delivered');
    const key = await createLabKey(lab, ['webhooks:read']);
    const page = await chromium.open({ url: api.url, key }, `/webhooks/${webhook.id}?view=settings`, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('link', { name: 'turn.settled' }).click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    for (const name of ['Disable', 'Rotate the secret …', 'Delete', 'Send it again', 'Save']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
    await page.goto(`${api.url}/webhooks`);
    await page.getByRole('link', { name: '/hooks' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'New webhook …' }).count()).toBe(0);
    await page.goto(`${api.url}/webhooks/new`);
    await page.getByText('You may not create webhooks').waitFor();
  });

  test('has nothing for another workspace', async () => {
    const webhook = await startWebhookScene(lab, ['turn.settled']);
    const workspaceId = newId();
    await lab.database.system('workspaces').insert({ id: workspaceId, name: 'another' });
    const key = await createLabKey({ ...lab, workspaceId });
    const page = await chromium.open({ url: api.url, key }, `/webhooks/${webhook.id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('turn.settled').count()).toBe(0);
  });
});
