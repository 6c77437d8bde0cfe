import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Replay } from '../../src/domain/replay.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey } from '../labs/lab-api.ts';
import {
  createReplayedAgent,
  recordConversation,
  replay,
  startReplayLab,
  waitForReplay,
  type ReplayLab,
} from '../labs/replay-scene.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let chromium: ConsoleLab;
let scene: ReplayLab;
let agentId: string;
let turnIds: string[];
/** A replay whose candidate lacks the tool that two of three turns called. */
let worse: Replay;

const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });

beforeAll(async () => {
  [chromium, scene] = await Promise.all([startConsole(), startReplayLab()]);
  ({ id: agentId } = await createReplayedAgent(scene));
  turnIds = [];
  for (const number of [0, 1, 2]) {
    const plan = {
      rounds: number === 2 ? [] : [[lookUp(number === 0 ? hostile : String(number))]],
      answer: `Number **${number}** ${hostile}`,
      ...(number === 1 ? { instructed: { brief: { rounds: [], answer: 'Short.' } } } : {}),
    };
    turnIds.push(...(await recordConversation(scene, agentId, [plan])).map(({ id }) => id));
  }
  worse = await replay(scene, {
    name: hostile,
    selection: { agentId },
    candidate: { tools: { remove: ['look_up'] } },
  });
});
afterAll(async () => {
  await chromium.stop();
  await scene.close();
});

describe('a new replay', () => {
  test('is started of chosen runs by keyboard alone, and followed to its decision', async () => {
    const page = await chromium.open(scene.api, `/replays/new?turnIds=${turnIds.join()}`);
    await page.getByText('3 chosen runs').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: /^Edit the instructions/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Instructions').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Be brief.');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await page.getByRole('heading', { name: /^Not decided/ }).waitFor();
    await page.locator('header').getByText('completed').waitFor();
    await expectNoBarriers(page);
    const [made] = (await scene.api.ask<{ replays: Replay[] }>('GET', '/api/replays')).replays;
    expect(made?.input).toMatchObject({
      selection: { turnIds },
      candidate: { instructions: 'Be brief.' },
      baseline: true,
    });
    expect(made?.input.candidate).not.toHaveProperty('model');
  });

  test('is led to from the runs that are chosen in the list of runs', async () => {
    const page = await chromium.open(scene.api, '/runs');
    for (const id of turnIds) await page.getByRole('checkbox', { name: `Choose the run ${id}` }).check();
    await page.getByRole('button', { name: 'Replay 3 …' }).click();
    await page.getByText('3 chosen runs').waitFor();
  });

  test('takes the runs that a filter in the address chooses, and says how many can be replayed', async () => {
    const page = await chromium.open(scene.api, `/replays/new?agentId=${agentId}`);
    await page.getByText('3 runs can be replayed.').waitFor();
    await page.getByLabel('Tool').fill('look_up');
    await page.getByLabel('Tag').focus();
    await page.getByText('2 runs can be replayed.').waitFor();
    expect(new URL(page.url()).searchParams.get('tool')).toBe('look_up');
    await page.getByText('More settings').click();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Start the replay' }).click();
    await page.getByRole('link', { name: 'What was tried' }).click();
    await page.getByText('the recorded version, run again').waitFor();
    await page.getByText('look_up').waitFor();
    await expectNoBarriers(page);
  });

  test('is paused, resumed and cancelled', async () => {
    const { replay: slow } = await scene.api.ask<{ replay: Replay }>('POST', '/api/replays', {
      ...{ name: 'Slow', selection: { agentId }, modelCallsPerMinute: 60, repeats: 20, concurrency: 1 },
    });
    const page = await chromium.open(scene.api, `/replays/${slow.id}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('header').getByText('paused').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'The replay was cancelled' }).waitFor();
    expect((await waitForReplay(scene, slow.id)).status).toBe('cancelled');
    expect(await page.getByRole('button', { name: /Pause|Resume|Cancel/ }).count()).toBe(0);
  });
});

describe('the report', () => {
  test('names the decision, how sure it is in words, and the cases that are wrong now', async () => {
    const page = await chromium.open(scene.api, `/replays/${worse.id}`);
    const decision = page.getByRole('region', { name: 'Decision' });
    await decision.getByText('2 cases that were right are wrong now').waitFor();
    await page.getByRole('cell', { name: /points lower/ }).waitFor();
    await expectNoBarriers(page);
    await decision.getByRole('link', { name: 'Look at the 2 cases that are wrong now' }).click();
    const cases = page.getByRole('table', { name: 'Cases' });
    await cases.getByRole('link').nth(1).waitFor();
    expect(await cases.getByRole('link').count()).toBe(2);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'All 3' }).click();
    await cases.getByRole('link').nth(2).waitFor();
    await page.getByLabel('Search in cases').fill('onerror no_such_word');
    await page.getByText('No case fits').waitFor();
    await page.reload();
    expect(await page.getByLabel('Search in cases').inputValue()).toBe('onerror no_such_word');
  });

  test('is saved as one page that opens from disk', async () => {
    const page = await chromium.open(scene.api, `/replays/${worse.id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the report' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`replay-${worse.id}.html`);
  });

  test('shows a case side by side with its first difference, and leads to the next one', async () => {
    const page = await chromium.open(scene.api, `/replays/${worse.id}/cases/0`);
    await page.getByText('First difference:').waitFor();
    await page.getByRole('heading', { name: 'Recorded', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Candidate', exact: true }).waitFor();
    await page.getByText('Never asked for: look_up.').waitFor();
    await expectNoBarriers(page);
    await page.getByLabel('Beside the recorded run').selectOption({ label: 'Recorded version, again' });
    await page.getByText('Answered by the recorded answer.').waitFor();
    expect(new URL(page.url()).searchParams.get('beside')).toBe('baseline 1');
    await page.getByRole('link', { name: 'Next changed case' }).click();
    await page.getByRole('heading', { name: 'Case 1' }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('reads well on a narrow page, and no name or text of it runs', async () => {
    const narrow = { viewport: { width: 390, height: 844 } };
    for (const path of ['', '?view=cases', '/cases/0']) {
      const page = await chromium.open(scene.api, `/replays/${worse.id}${path}`, narrow);
      await page.getByText('onerror').first().waitFor();
      await expectNoBarriers(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await page.evaluate('window.ran')).toBeUndefined();
    }
  });
});

describe('people', () => {
  test('who read figures alone see no texts and no button that would be refused', async () => {
    const key = await createLabKey(scene.lab, ['replays:read']);
    const page = await chromium.open({ url: scene.api.url, key }, '/replays');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('link', { name: hostile }).click();
    await page.getByText('It needs the scope conversations:read').waitFor();
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
    await page.goto(`${scene.api.url}/replays/new`);
    await page.getByText('You cannot start a replay').waitFor();
    expect(refused).toEqual([]);
  });

  test('who may read a replay and not start one see its report, and no button that would be refused', async () => {
    const key = await createLabKey(scene.lab, ['replays:read', 'conversations:read']);
    const page = await chromium.open({ url: scene.api.url, key }, `/replays/${worse.id}`);
    await page.getByRole('region', { name: 'Decision' }).waitFor();
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual(['Save the report']);
    expect(await page.getByRole('link', { name: 'Replay the same runs' }).count()).toBe(0);
  });

  test('of another workspace get nothing, and people without the right no screen', async () => {
    const other = { ...scene.lab, workspaceId: newId() };
    await scene.lab.database.system('workspaces').insert({ id: other.workspaceId, name: 'other' });
    const key = await createLabKey(other);
    const page = await chromium.open({ url: scene.api.url, key }, `/replays/${worse.id}`, {
      expected: ['404'],
    });
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Replays' }).click();
    await page.getByText('Nothing was replayed yet').waitFor();
    const blind = await createLabKey(scene.lab, ['conversations:read']);
    const none = await chromium.open({ url: scene.api.url, key: blind }, '/replays');
    await none.getByText('There is no page at this address').waitFor();
  });
});
