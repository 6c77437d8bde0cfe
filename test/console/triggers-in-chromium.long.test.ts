import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { createTriggerScene, hookSecret, newIssue } from '../labs/trigger-scene.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { deliver, fromGitHub } from '../labs/vendor-deliveries.ts';

const hostile = '<img src=x onerror="window.ran=true">';

let chromium: ConsoleLab;
let lab: TurnLab;
let api: LabApi;
let triggers: ReturnType<typeof createTriggerScene>;

beforeAll(async () => {
  chromium = await startConsole();
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  triggers = createTriggerScene(api.ask);
});
afterAll(async () => {
  await chromium.stop();
  await api.stop();
});

/** Creates a trigger of GitHub that starts turns of an agent. */
async function createTrigger(agentId: string, change: object = {}) {
  const action = { kind: 'turn', agentId, message: 'Look at {{ .issue.title }}' };
  return (await triggers.create({ secret: hookSecret, action, ...change })).trigger;
}

describe('the page of a trigger', () => {
  test('is created by keyboard, takes an event, is paused, changed and deleted', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'I looked.' });
    const page = await chromium.open(api, '/triggers');
    await page.getByText('There is no trigger yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Name').fill(`Triage ${hostile}`);
    await page.getByLabel('Agent', { exact: true }).selectOption(scene.agent.id);
    await page.getByLabel('Message').fill('Look at {{ .issue.title }}');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    const once = page.getByRole('dialog', { name: 'The secret is shown once' });
    const secret = await once.getByLabel('Secret').inputValue();
    await once.getByRole('button', { name: 'I have it' }).click();
    await page.getByText('No event has come yet').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { trigger } = await api.ask<{ trigger: Parameters<typeof triggers.deliver>[0] }>(
      'GET',
      `/api/triggers/${id}`,
    );
    await page.getByText(trigger.url).waitFor();
    const payload = { ...newIssue, issue: { number: 7, title: `It breaks ${hostile}` } };
    const { turnId } = await triggers.deliver(trigger, fromGitHub({ secret, payload }));
    await lab.waitUntilSettled(turnId ?? '');

    await page.getByRole('link', { name: 'issues' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`It breaks ${hostile}`).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'a turn' }).click();
    await page.getByRole('heading', { name: `Look at It breaks ${hostile}` }).waitFor();
    await page.goBack();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('header').getByText('paused', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('Triage of issues');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Triage of issues' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no trigger yet').waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('starts an event that the filter has left out, once it is changed', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'I looked.' });
    const trigger = await createTrigger(scene.agent.id, { filter: '.issue.number == 8' });
    const ignored = await triggers.deliver(trigger, fromGitHub({ secret: hookSecret, payload: newIssue }));
    expect(ignored.status).toBe('ignored');
    await api.call('PATCH', `/api/triggers/${trigger.id}`, { filter: null });
    const page = await chromium.open(api, `/triggers/${trigger.id}?event=${ignored.id}`);
    await page.getByText('started nothing').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start it again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'a turn' }).waitFor();
  });

  test('tells that a request was not signed by its secret', async () => {
    const scene = await lab.scene();
    const trigger = await createTrigger(scene.agent.id);
    const { status } = await deliver(trigger.url, fromGitHub({ secret: 'another', payload: newIssue }));
    expect(status).toBe(401);
    const page = await chromium.open(api, `/triggers/${trigger.id}`, {
      viewport: { width: 390, height: 844 },
    });
    const state = page.getByLabel('State of events');
    await state.selectOption('refused');
    await page.getByRole('cell', { name: 'refused' }).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
    await state.selectOption('started');
    await page.getByText('No event has this state').waitFor();
  });

  test('shows a viewer no button that would be refused', async () => {
    const scene = await lab.scene();
    const trigger = await createTrigger(scene.agent.id);
    const names = ['Pause', 'Rotate the secret …', 'Delete', 'New trigger …', 'Save'];
    const key = await createLabKey(lab, ['conversations:read']);
    const page = await chromium.open({ url: api.url, key }, `/triggers/${trigger.id}?view=settings`);
    await page.getByText('No event has come yet').waitFor();
    for (const name of names) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(`${api.url}/triggers`);
    await page.getByRole('link', { name: trigger.name }).first().waitFor();
    for (const name of names) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(`${api.url}/triggers/new`);
    await page.getByText('You may not create triggers').waitFor();
  });

  test('has nothing for another workspace', async () => {
    const scene = await lab.scene();
    const trigger = await createTrigger(scene.agent.id, { name: 'Hidden' });
    const key = await createLabKey(await shareTurnLab());
    const page = await chromium.open({ url: api.url, key }, `/triggers/${trigger.id}`, {
      expected: ['404'],
    });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Hidden').count()).toBe(0);
  });
});
