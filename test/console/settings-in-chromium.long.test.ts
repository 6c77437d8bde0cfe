import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

const hostile = '<img src=x onerror="window.ran = true">';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
});
afterAll(() => lab.stop());

async function listKeys() {
  return (await api.call('GET', '/api/api-keys?limit=100')).data.apiKeys;
}

describe('the settings of API keys', () => {
  test('create a key by keyboard that is shown once, and revoke it with its consequences', async () => {
    const page = await lab.open(api, '/settings?tab=keys');
    await page.getByRole('button', { name: 'New key …' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').focus();
    await page.keyboard.type(`Website ${hostile}`);
    await dialog.getByLabel('Acts for (optional)').focus();
    await page.keyboard.type('ada@example.com');
    await dialog.getByRole('checkbox', { name: 'Decide about tool calls' }).focus();
    await page.keyboard.press('Space');
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    const once = page.getByRole('dialog', { name: 'The secret is shown once' });
    const key = await once.getByLabel('Secret').inputValue();
    expect((await api.call('GET', '/api/session', { key })).data).toMatchObject({
      identity: { person: 'ada@example.com' },
    });
    await expectNoBarriers(page);
    await once.getByRole('button', { name: 'I have it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Website' });
    await row.getByText('active').waitFor();
    await expectNoBarriers(page);
    const stored = (await listKeys()).find(({ name }) => name.startsWith('Website'));
    expect(stored?.scopes).not.toContain('approvals:decide');
    expect(stored?.scopes).not.toContain('api_keys:write');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    expect((await api.call('GET', '/api/session', { key })).status).toBe(401);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('lead to the sign-in when the key of the page is revoked', async () => {
    const { data } = await api.call('POST', '/api/api-keys', {
      body: { name: 'Of this page', scopes: ['api_keys:write'] },
    });
    const page = await lab.open({ url: api.url, key: data.key }, '/settings?tab=keys', { expected: ['401'] });
    const row = page.getByRole('row').filter({ hasText: 'Of this page' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});

describe('the settings of people', () => {
  test('issue a token for a person, and end it', async () => {
    const page = await lab.open(api, '/settings?tab=people');
    await page.getByText('Nobody has signed in yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Token for a person …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token for a person' });
    await dialog.getByLabel('Person').fill('bob@example.com');
    await dialog.getByRole('checkbox', { name: 'approver' }).check();
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Issue' }).click();
    const once = page.getByRole('dialog', { name: 'The secret is shown once' });
    const token = await once.getByLabel('Secret').inputValue();
    await once.getByRole('button', { name: 'I have it' }).click();
    const bob = await lab.open({ url: api.url, key: token }, '/settings');
    await bob.getByText('what belongs to this person, or is shared with this person').waitFor();
    await bob.getByText('Decide about tool calls').waitFor();
    expect(await bob.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    expect(await bob.getByRole('link', { name: 'People' }).count()).toBe(0);
    await expectNoBarriers(bob);
    await bob.goto(`${api.url}/settings?tab=keys`);
    await bob.getByRole('heading', { name: 'Signed in' }).waitFor();
    expect(await bob.getByRole('button', { name: 'New key …' }).count()).toBe(0);
    await page.getByRole('button', { name: 'End tokens …' }).click();
    const end = page.getByRole('dialog', { name: 'End all tokens of a person' });
    await end.getByLabel('Person').fill('bob@example.com');
    await end.getByRole('button', { name: 'End them' }).click();
    await end.getByText('They have ended.').waitFor();
    expect((await api.call('GET', '/api/session', { key: token })).status).toBe(401);
  });

  test('name what an API refuses at its field', async () => {
    const page = await lab.open(api, '/settings?tab=people', { expected: ['400'] });
    await page.getByRole('button', { name: 'Token for a person …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token for a person' });
    await dialog.getByLabel('Person').fill('bob@example.com');
    await dialog.getByLabel('Minutes').fill('0');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Minutes').getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers(page);
  });
});

describe('the settings of the workspace', () => {
  test('show a reader what holds, on a phone', async () => {
    const key = await api.createKey(api.workspaceId, ['inbox:read']);
    const page = await lab.open({ url: api.url, key }, '/settings?tab=workspace', {
      viewport: { width: 390, height: 844 },
    });
    await page.getByText('until they are deleted').waitFor();
    await page.getByText('at most 10 min').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'You' }).click();
    await page.getByText('Read messages of agents to people').waitFor();
    expect(await page.getByText('Start, steer and cancel turns').count()).toBe(0);
    await expectNoBarriers(page);
  });

  test('of another workspace are not shown', async () => {
    const other = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key: other.key }, '/settings?tab=keys');
    await page.getByRole('row').nth(1).waitFor();
    const shown = await page.getByRole('row').count();
    const { data } = await api.call('GET', '/api/api-keys?limit=100', { key: other.key });
    expect(shown - 1).toBe(data.apiKeys.length);
  });
});
