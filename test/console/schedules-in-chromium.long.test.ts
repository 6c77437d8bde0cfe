import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { createRoutineScene, toDocument } from '../labs/routine-scene.ts';
import { createScheduleScene } from '../labs/schedule-scene.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

const hostile = '<img src=x onerror="window.ran=true">';

let chromium: ConsoleLab;
let lab: TurnLab;
let api: LabApi;
let schedules: ReturnType<typeof createScheduleScene>;

beforeAll(async () => {
  chromium = await startConsole();
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  schedules = createScheduleScene(lab, api);
});
afterAll(async () => {
  await chromium.stop();
  await api.stop();
});

describe('the page of a schedule', () => {
  test('is created by keyboard, runs now, is paused, changed and deleted', async () => {
    const scene = await lab.scene();
    scene.reply({ text: `Good morning ${hostile}` });
    const page = await chromium.open(api, '/schedules');
    await page.getByText('There is no schedule yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Name').fill(`Report ${hostile}`);
    await page.getByLabel('Agent', { exact: true }).selectOption(scene.agent.id);
    await page.getByLabel('Message').fill('Anything new?');
    await page.getByLabel('Cron expressions').fill('0 0 1 1 * 2099');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('It has not run in the last 90 days.').waitFor();
    await page.getByRole('region', { name: 'Next' }).getByText('2099').waitFor();
    await page.getByRole('button', { name: 'Run now' }).focus();
    await page.keyboard.press('Enter');
    const runs = page.getByRole('region', { name: 'Runs', exact: true });
    await runs.getByRole('cell', { name: 'completed' }).first().waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It is paused').waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Given as').selectOption('An interval');
    await page.getByLabel('Every').fill('2');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('every 2 hours').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('header').getByText('active').waitFor();
    await runs.getByRole('link', { name: 'a turn' }).click();
    await page.getByRole('heading', { name: 'Anything new?' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no schedule yet').waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('begins the runs of a span that is over', async () => {
    const routines = await createRoutineScene(lab);
    const { id: routineId } = await routines.store(
      toDocument('nightly', '  - done: { set: { done: true } }'),
    );
    const { id } = await schedules.createSchedule({
      name: 'Nightly',
      times: { cron: '0 2 * * *' },
      action: { kind: 'routine', routineId },
    });
    const page = await chromium.open(api, `/schedules/${id}`, { timezoneId: 'UTC' });
    await page.getByRole('button', { name: 'Backfill …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').fill('2026-01-01T00:00');
    await dialog.getByLabel('To').fill('2026-01-02T12:00');
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Begin the runs' }).click();
    await schedules.waitForRuns(id, 2);
    const rows = page.getByRole('region', { name: 'Runs', exact: true }).getByRole('row');
    await rows.filter({ hasText: 'completed' }).nth(1).waitFor();
    expect(await rows.filter({ hasText: '2:00:00' }).count()).toBe(2);
    await rows.getByRole('link', { name: 'a run of the routine' }).first().click();
    await page.getByRole('heading', { name: 'Run of nightly' }).waitFor();
  });

  test('says why it was stopped, on a phone', async () => {
    const scene = await lab.scene();
    const { key, apiKey } = await api.ask<{ key: string; apiKey: { id: string } }>('POST', '/api/api-keys', {
      name: 'leaves',
      scopes: ['conversations:read', 'conversations:write'],
    });
    const created = await fetch(`${api.url}/api/schedules`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ name: 'Leaves', times: { cron: '0 0 1 1 * 2099' } },
        action: { kind: 'turn', agentId: scene.agent.id, message: 'Hello' },
      }),
    });
    const { data } = (await created.json()) as { data: { schedule: { id: string } } };
    await api.call('DELETE', `/api/api-keys/${apiKey.id}`);
    await schedules.findCopy(data.schedule.id).trigger();
    await schedules.waitForRuns(data.schedule.id, 1);
    const page = await chromium.open(api, `/schedules/${data.schedule.id}`, {
      viewport: { width: 390, height: 844 },
    });
    await page.locator('header').getByText('stopped').waitFor();
    await page.getByText(/^Stopped .* It starts again after any change/).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
  });

  test('shows a viewer no button that would be refused', async () => {
    const scene = await lab.scene();
    const routines = await createRoutineScene(lab);
    const { id: routineId } = await routines.store(toDocument('mine', '  - done: { set: { done: true } }'));
    const turn = { kind: 'turn', agentId: scene.agent.id, message: 'Hello' };
    const [ofTurn, ofRoutine] = [
      await schedules.createSchedule({ name: 'Of a turn', action: turn }),
      await schedules.createSchedule({ name: 'Of a routine', action: { kind: 'routine', routineId } }),
    ];
    const names = ['Run now', 'Pause', 'Backfill …', 'Delete', 'New schedule …'];
    const key = await createLabKey(lab, ['conversations:read']);
    const page = await chromium.open({ url: api.url, key }, `/schedules/${ofTurn.id}?view=settings`);
    await page.getByText('It has not run in the last 90 days.').waitFor();
    for (const name of names) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByRole('row').filter({ hasText: 'Of a turn' }).getByText('active').waitFor();
    for (const name of names) expect(await page.getByRole('button', { name }).count()).toBe(0);
    // Who may not start routines changes no schedule that does.
    const writer = await createLabKey(lab, ['conversations:read', 'conversations:write']);
    const other = await chromium.open({ url: api.url, key: writer }, `/schedules/${ofRoutine.id}`);
    await other.getByText('It has not run in the last 90 days.').waitFor();
    expect(await other.getByRole('button', { name: 'Run now' }).count()).toBe(0);
    await other.goto(`${api.url}/schedules/${ofTurn.id}`);
    await other.getByRole('button', { name: 'Run now' }).waitFor();
    await other.goto(`${api.url}/schedules/new`);
    const starts = other.getByRole('combobox', { name: 'Starts' });
    await starts.waitFor();
    expect(await starts.locator('option').allInnerTexts()).toEqual(['A message to an agent']);
  });

  test('has nothing for another workspace', async () => {
    const scene = await lab.scene();
    const action = { kind: 'turn', agentId: scene.agent.id, message: 'Hidden' };
    const { id } = await schedules.createSchedule({ name: 'Hidden', action });
    const key = await createLabKey(await shareTurnLab());
    const page = await chromium.open({ url: api.url, key }, `/schedules/${id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Hidden').count()).toBe(0);
  });
});
