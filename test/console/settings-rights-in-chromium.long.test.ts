import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/domain/role.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { findPersonOfToken, storePerson } from '../../src/modules/workspaces/people/people-repository.ts';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

const hostile = '<img src=x onerror=window.ran=true>';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
});
afterAll(() => lab.stop());
beforeEach(async () => {
  api = await shareApi();
});

async function createKey(name: string, scopes: Scope[]): Promise<void> {
  expect((await api.call('POST', '/api/api-keys', { body: { name, scopes } })).status).toBe(201);
}

/** Stores a person who has signed in at an identity provider. */
async function signIn(name: string, roles: Role[]): Promise<string> {
  const issuer = 'https://login.example.com/';
  const person = { workspaceId: api.workspaceId, name, issuer, subject: name, roles, groups: ['finance'] };
  const rolesAt = new Date().toISOString();
  await storePerson(api.database.system, { ...person, rolesAt, scopes: ['conversations:read'] });
  const stored = await findPersonOfToken(api.database.lookUp, person);
  if (!stored) throw new Error('There is no workspace.');
  return stored.id;
}

/** Opens the settings with a key, and collects the requests that are refused. */
async function openWith(allowed: Scope[], path: string) {
  const key = await api.createKey(api.workspaceId, allowed);
  const page = await lab.open({ url: api.url, key }, path);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  return { page, refused };
}

describe('a person with fewer rights', () => {
  test('revokes and makes keys within these alone', async () => {
    await createKey('wide key', ['agents:write']);
    await createKey('narrow key', ['agents:read']);
    const { page, refused } = await openWith(['agents:read', 'api_keys:write'], '/settings?tab=keys');
    const toRow = (name: string) => page.getByRole('row').filter({ hasText: name });
    await toRow('wide key').waitFor();
    expect(await toRow('wide key').getByRole('button').count()).toBe(0);
    await toRow('narrow key').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await toRow('narrow key').getByText('revoked').waitFor();
    await page.getByRole('button', { name: 'New key …' }).click();
    const form = page.getByRole('dialog', { name: 'New API key' });
    await form.getByRole('checkbox').first().waitFor();
    expect(await form.getByRole('checkbox').count()).toBe(2);
    expect(await form.getByLabel('Groups of approvers').count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('who may issue tokens alone is offered the roles that the token would have', async () => {
    const { page, refused } = await openWith(['user_tokens:write', 'audit:read'], '/settings?tab=people');
    await page.getByRole('heading', { name: 'Tokens for people' }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Token for a person …' }).click();
    const form = page.getByRole('dialog', { name: 'Token for a person' });
    await form.getByRole('checkbox', { name: 'admin' }).waitFor();
    expect(await form.getByRole('checkbox').count()).toBe(2);
    expect(refused).toEqual([]);
  });

  test('reads the roles, and prices without buttons', async () => {
    const { page, refused } = await openWith(['budgets:read'], '/settings?tab=roles');
    const row = page.getByRole('row', { name: /Decide about tool calls/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      ...['Conversations and turns', 'Decide about tool calls', 'no', 'no', 'no', 'yes', 'no', 'yes'],
    ]);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Workspace' }).click();
    await page.getByText('The workspace has set no price').waitFor();
    expect(await page.getByRole('button', { name: 'Set a price …' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });
});

describe('people who have signed in', () => {
  test('are deactivated after a question by keyboard alone, and let in again', async () => {
    const id = await signIn('olga', ['editor', 'approver']);
    const page = await lab.open(api, '/settings?tab=people');
    const row = page.getByRole('row', { name: /olga editor, approver finance/ });
    await row.getByRole('button', { name: 'Deactivate' }).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Deactivate olga?' });
    await question.getByRole('button', { name: 'Deactivate' }).focus();
    await page.keyboard.press('Enter');
    await row.getByText('deactivated').waitFor();
    await expectNoBarriers(page);
    const person = await api.call('GET', `/api/people/${id}`);
    expect(person.data).toMatchObject({ person: { deactivatedAt: expect.any(String) as string } });
    await row.getByRole('button', { name: 'Let in again' }).click();
    await row.getByText('active', { exact: true }).waitFor();
    const again = await api.call('GET', `/api/people/${id}`);
    expect(again.data).toMatchObject({ person: { deactivatedAt: null } });
  });

  test('are not shown to another workspace, and names with script are texts', async () => {
    await signIn(hostile, ['viewer']);
    const page = await lab.open(api, '/settings?tab=people', { viewport: { width: 390, height: 844 } });
    await page.getByRole('cell', { name: hostile }).waitFor();
    await expectNoBarriers(page);
    for (const tab of ['roles', 'workspace']) {
      await page.goto(`${api.url}/settings?tab=${tab}`);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await expectNoBarriers(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const { key } = await api.createWorkspace();
    const foreign = await lab.open({ url: api.url, key }, '/settings?tab=people');
    await foreign.getByText('Nobody has signed in yet').waitFor();
  });
});

test('a price is set beside those that the workspace has, and removed after a question', async () => {
  await api.call('PUT', '/api/prices', { body: { prices: { 'compatible/old': { input: 1, output: 2 } } } });
  const page = await lab.open(api, '/settings?tab=workspace');
  await page.getByRole('button', { name: 'Set a price …' }).click();
  await page.getByLabel('Model').fill('compatible/new');
  await page.getByLabel('Input, a million tokens').fill('0.2');
  await page.getByLabel('Output, a million tokens').fill('0.6');
  await expectNoBarriers(page);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /compatible\/new \$0.20 \$0.60/ });
  await row.waitFor();
  await page.getByText(/^The list of/).click();
  await expectNoBarriers(page);
  expect((await api.call('GET', '/api/prices')).data).toMatchObject({
    own: { 'compatible/old': { input: 1, output: 2 }, 'compatible/new': { input: 0.2, output: 0.6 } },
  });
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  const left = (await api.call('GET', '/api/prices')).data as unknown as { own: object };
  expect(Object.keys(left.own)).toEqual(['compatible/old']);
});
