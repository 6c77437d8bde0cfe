import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { findSubtaskId, startSwarmLab, type SwarmLab } from '../labs/swarm-scene.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';

const hostile = '<img src=x onerror="window.ran=true">';

let chromium: ConsoleLab;
let swarms: SwarmLab;
let api: LabApi;
const held = Promise.withResolvers<null>();

beforeAll(async () => {
  chromium = await startConsole();
  swarms = await startSwarmLab({
    answer: (body) => {
      const id = findSubtaskId(body);
      if (id === 'held') return { text: 'Held no more.', until: held.promise };
      return id === 'hostile' ? { text: `Result ${hostile}` } : undefined;
    },
  });
  api = await startLabApi(swarms.lab);
});
afterAll(async () => {
  held.resolve(null);
  await chromium.stop();
  await api.stop();
  await swarms.close();
});

/** Starts a swarm of which one subtask does not end before the test lets it. */
async function startHeld() {
  const { id: agentId } = await swarms.createAgent();
  const { id } = await swarms.start({
    kind: 'rich',
    goal: `Tides ${hostile}`,
    teamConfig: { members: [{ agentId, name: 'writer', role: hostile }] },
    subtasks: [
      { id: 'hostile', description: hostile, assignee: 'writer' },
      { id: 'held', description: 'Wait.', assignee: 'writer', depends_on: ['hostile'] },
      { id: 'last', description: 'End.', assignee: 'writer', depends_on: ['held'] },
    ],
  });
  return id;
}

describe('the page of a swarm', () => {
  test('starts from a form, by keyboard, and shows its subtasks to the end', async () => {
    await swarms.createAgent({ name: 'Scribe' });
    const page = await chromium.open(api, '/swarms/new');
    await page.getByRole('textbox', { name: 'Goal' }).fill('A page about tides');
    await page.getByRole('button', { name: 'Add a member' }).focus();
    await page.keyboard.press('Enter');
    const member = page.getByRole('group', { name: 'Member 1' });
    await member.getByLabel('Agent').selectOption('Scribe');
    await member.getByLabel('Name in the team').fill('writer');
    for (const [index, [id = '', after = '']] of [['facts'], ['page', 'facts']].entries()) {
      await page.getByRole('button', { name: 'Add a subtask' }).focus();
      await page.keyboard.press('Enter');
      const subtask = page.getByRole('group', { name: `Subtask ${index + 1}` });
      await subtask.getByLabel('Id').fill(id);
      await subtask.getByLabel('Done by').selectOption('writer');
      await subtask.getByLabel('After').fill(after);
      await subtask.getByLabel('The work').fill(`Do ${id}.`);
    }
    await page.getByLabel('Turns').fill('ten');
    await page.getByText('This is not a number.').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByLabel('Turns').fill('10');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Start' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A page about tides' }).waitFor();
    await page.locator('header').getByText('completed').waitFor();
    await page.getByRole('link', { name: /^page done/ }).focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('Result of page.').waitFor();
    expect(await details.getByText('after facts').count()).toBe(0);
    await expectNoBarriers(page);
    await details.getByRole('link', { name: 'Show the swarm' }).click();
    await details.getByText('2 of 10').waitFor();
    expect(await page.getByRole('button', { name: 'End …' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Swarms' }).click();
    await page.getByRole('row').filter({ hasText: 'A page about tides' }).getByText('completed').waitFor();
    await expectNoBarriers(page);
  });

  test('follows the state, changes it where that is allowed, and ends the swarm', async () => {
    const id = await startHeld();
    const page = await chromium.open(api, `/swarms/${id}`, { expected: ['400'] });
    await page.getByRole('link', { name: /^held in progress/ }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByRole('button', { name: 'Add a subtask …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Id').fill('more');
    await dialog.getByLabel('Done by').selectOption('writer');
    await dialog.getByLabel('After').fill('nothing like this');
    await dialog.getByLabel('The work').fill('Do more.');
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('After').fill('last');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: /^more todo/ }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByRole('link', { name: /^more canceled/ }).waitFor();
    await details.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: /^more/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Shared state' }).click();
    await page.getByRole('button', { name: 'Write on it …' }).click();
    await dialog.getByLabel('Name').fill('style');
    await dialog.getByLabel('Value').fill('{ "tone": "dry" }');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'style' }).getByText('dry').waitFor();
    await expectNoBarriers(page);
    expect((await swarms.read(id)).state.blackboard).toMatchObject([{ id: 'style', value: { tone: 'dry' } }]);
    await page.getByRole('button', { name: 'End …' }).click();
    await dialog.getByLabel('Reason').fill('Enough');
    await dialog.getByRole('button', { name: 'Stop at once' }).click();
    await page.locator('header').getByText('ended').waitFor();
    await page.getByRole('link', { name: 'Subtasks' }).click();
    await page.getByText('Enough').waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('shows messages, and script in texts as texts', async () => {
    const { id: agentId } = await swarms.createAgent({ functions: ['send_message'] });
    const call = { to: { type: 'topic', topic: 'tides' }, message: `The tide is **high** ${hostile}` };
    const { id } = await swarms.start({
      kind: 'rich',
      goal: 'Talk',
      teamConfig: { members: [{ agentId, name: 'writer' }] },
      subtasks: [
        { id: 'talk', description: `Call send_message ${JSON.stringify(call)}`, assignee: 'writer' },
      ],
    });
    await swarms.waitForEnd(id);
    const page = await chromium.open(api, `/swarms/${id}?view=messages`);
    await page.getByRole('main').locator('strong', { hasText: 'high' }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Raw' }).click();
    await page.getByText('deadlineAt').waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('is good on a phone, and shows a viewer no button that would be refused', async () => {
    const id = await startHeld();
    const key = await createLabKey(swarms.lab, ['swarms:read']);
    const page = await chromium.open({ url: api.url, key }, `/swarms/${id}`, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('link', { name: /^held in progress/ }).click();
    await page.getByRole('group', { name: 'held' }).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
    const expectNone = async () => {
      for (const name of [
        /^Pause/,
        /^End/,
        /^Add/,
        /^Change/,
        /^Cancel/,
        /^Delete/,
        /^Write/,
        /^New/,
        /^Run/,
      ])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
    };
    await expectNone();
    await page.getByRole('link', { name: 'Shared state' }).click();
    await page.getByText('Nothing is written there.').waitFor();
    await expectNone();
    await page.goto(`${api.url}/swarms`);
    await page.getByRole('table', { name: 'Swarms' }).waitFor();
    await expectNone();
  });

  test('has nothing for another workspace', async () => {
    const id = await startHeld();
    const other = await shareTurnLab();
    const otherApi = await startLabApi(other);
    const page = await chromium.open(otherApi, `/swarms/${id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Tides').count()).toBe(0);
    await page.getByRole('link', { name: 'Swarms' }).click();
    await page.getByText('There is no swarm yet').waitFor();
    await expectNoBarriers(page);
    await page.context().close();
    await otherApi.stop();
  });
});
