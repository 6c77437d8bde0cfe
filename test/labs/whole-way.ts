import type { Page } from 'playwright-core';

interface WholeWay {
  /** The address of an MCP server with the tools `echo`, `add` and `note`. */
  serverUrl: string;
  /** Called after each step, with its name. @default nothing */
  onStep?: (name: string) => Promise<void>;
}

/**
 * Goes the whole way of a new user through the console, by its links and buttons alone: connects an MCP server, gives three of its
 * tools to a new agent, talks to it, approves a call, finds the turn in the runs, and replays it against a changed version. The page
 * shows any screen of a workspace with the demo model.
 */
export async function walkWholeWay(page: Page, { serverUrl, onStep }: WholeWay): Promise<void> {
  const steps: readonly [string, () => Promise<void>][] = [
    ['connect', () => connectServer(page, serverUrl)],
    ['agent', () => createAgent(page)],
    ['tools', () => chooseTools(page)],
    ['talk', () => talk(page)],
    ['approve', () => approve(page)],
    ['run', () => findRun(page)],
    ['change', () => changeAgent(page)],
    ['replay', () => replay(page)],
  ];
  for (const [name, take] of steps) {
    await take();
    await onStep?.(name);
  }
}

const message = 'Echo hello';

const goTo = (page: Page, screen: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click();

async function connectServer(page: Page, serverUrl: string): Promise<void> {
  await goTo(page, 'Connections');
  await page.getByRole('button', { name: 'New connection …' }).first().click();
  await page.getByLabel('Leads to').selectOption('An MCP server');
  await page.getByLabel('Name').fill('Our tools');
  await page.getByLabel('Endpoint').fill(serverUrl);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Connected; the server offers 3 tools.').waitFor();
}

async function createAgent(page: Page): Promise<void> {
  await goTo(page, 'Agents');
  await page.getByRole('button', { name: 'New agent …' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Concierge');
  await page.getByLabel('Model', { exact: true }).fill('demo');
  await page.getByLabel('Instructions').fill('You help the guests of a hotel.');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Concierge' }).waitFor();
}

async function chooseTools(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add tools …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add tools' });
  await dialog.getByText('MCP servers').click();
  for (const tool of ['echo', 'add', 'note']) await dialog.getByRole('option', { name: tool }).click();
  await dialog.getByLabel('Approval of their calls').selectOption('Ask');
  await dialog.getByRole('button', { name: 'Add selected (3)' }).click();
  await page.getByText('3 tools were added, in version 2.').waitFor();
}

async function talk(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Open in playground' }).click();
  await page.getByLabel('Message', { exact: true }).fill(message);
  await page.getByRole('button', { name: 'Send', disabled: false }).click();
  await page.getByRole('group', { name: 'Decision about echo' }).waitFor();
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('The call was approved').waitFor();
  await page.getByRole('button', { name: 'Fork from here' }).waitFor();
}

async function findRun(page: Page): Promise<void> {
  await goTo(page, 'Runs');
  await page.getByLabel('Tool').fill('echo');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('tool') === 'echo');
  await page.getByRole('row').filter({ hasText: 'Concierge' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: message }).waitFor();
}

async function changeAgent(page: Page): Promise<void> {
  await goTo(page, 'Agents');
  await page.getByRole('link', { name: 'Concierge' }).click();
  await page.getByLabel('Instructions').fill('You help the guests of a hotel. Be brief.');
  await page.getByRole('button', { name: /^Save as version/ }).click();
  await page.getByText('Saved as version 3.').waitFor();
}

async function replay(page: Page): Promise<void> {
  await goTo(page, 'Runs');
  await page.getByRole('row').filter({ hasText: 'Concierge' }).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Replay', exact: true }).click();
  const version = page.getByLabel('Version', { exact: true });
  const third = version.getByRole('option', { name: /^Version 3/ });
  await third.waitFor({ state: 'attached' });
  await version.selectOption({ label: (await third.textContent()) ?? '' });
  await page.getByRole('button', { name: 'Start the replay' }).click();
  await page.locator('header').getByText('completed').waitFor();
  await page.getByRole('heading', { name: /^Not decided/ }).waitFor();
}
