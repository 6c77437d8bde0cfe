import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Api } from '../labs/api-lab.ts';
import { openWatched } from '../labs/chromium/chromium.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { startHttpServer } from '../servers/http-server.ts';
import { shareApi } from '../labs/shared-api.ts';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
});
afterAll(() => lab.stop());

/** Opens the console without a session. */
async function openSignedOut(path: string) {
  const { page, problems } = await openWatched(lab.browser);
  onTestFinished(() => page.context().close());
  await page.goto(`${api.url}${path}`);
  return { page, problems };
}

test('a person signs in with a key by keyboard alone, and comes to the page that was asked for', async () => {
  const { page, problems } = await openSignedOut('/runs?outcome=failed');
  await page.getByLabel('API key or user token').waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press('Tab');
  await page.keyboard.type(api.key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(new URL(page.url()).search).toBe('?outcome=failed');
  // The page has asked who is signed in before anybody was.
  expect(problems).toEqual([expect.stringContaining('401')]);
});

test('a refused key is said to be one, and is not kept in the page', async () => {
  const { page } = await openSignedOut('/');
  await page.getByLabel('API key or user token').fill('holdfast_no_key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  const storage = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])');
  expect(storage).not.toContain('holdfast_no_key');
});

test('a link with a key asks before it signs in, names the workspace, and the key leaves the address', async () => {
  const { page } = await openSignedOut(`/runs#key=${api.key}`);
  await page.getByRole('status').filter({ hasText: 'of the workspace “test”' }).waitFor();
  expect(page.url()).toBe(`${api.url}/runs`);
  expect(await page.context().cookies()).toEqual([]);
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(page.url()).toBe(`${api.url}/runs`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  const field = page.getByLabel('API key or user token');
  await field.waitFor();
  expect(await field.inputValue()).toBe('');
});

test('a link on a foreign site does not change who is signed in, and its key leaves the address', async () => {
  const other = await api.createWorkspace();
  const site = await startHttpServer((_request, response) => {
    const links = [`${api.url}/runs#key=${other.key}`, `${api.url}/usage#key=${other.key}`];
    const html = links.map((link, index) => `<a href="${link}">link ${index}</a>`).join('');
    response.setHeader('content-type', 'text/html').end(html);
  });
  onTestFinished(site.close);
  const page = await lab.open(api, '/runs', { sites: [site.url] });
  const workspaceOfPage = async () => {
    const [cookie] = await page.context().cookies();
    const headers = { cookie: `${cookie?.name ?? ''}=${cookie?.value ?? ''}` };
    const answer = (await (await fetch(`${api.url}/api/session`, { headers })).json()) as {
      data: { identity: { workspaceId: string } };
    };
    return answer.data.identity.workspaceId;
  };
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  await page.goto(site.url);
  await page.getByRole('link', { name: 'link 0' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(page.url()).toBe(`${api.url}/runs`);
  expect(await workspaceOfPage()).toBe(api.workspaceId);
  // A page that has opened this one may change the fragment of the address alone.
  await page.evaluate(`location.hash = '#key=${other.key}'`);
  await page.waitForURL(`${api.url}/runs`);
  expect(await workspaceOfPage()).toBe(api.workspaceId);
  const history = await page.evaluate<string>('JSON.stringify([history.state, { ...sessionStorage }])');
  expect(history).not.toContain(other.key);
});

test('signing out ends the session of the server, and leaves nothing of the person on the page', async () => {
  const page = await lab.open(api, '/runs', { expected: ['401'] });
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  const cookies = await page.context().cookies();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key or user token').waitFor();
  const [session] = cookies;
  const headers = { cookie: `${session?.name ?? ''}=${session?.value ?? ''}` };
  expect((await fetch(`${api.url}/api/session`, { headers })).status).toBe(401);
});

test('a session that ends under an open page brings back the form, and signing in the page', async () => {
  const page = await lab.open(api, '/runs', { expected: ['401'] });
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  // Requests wait until the list is narrowed, since any of them brings back the form.
  const narrowed = Promise.withResolvers<undefined>();
  await page.route('**/api/**', async (route) => {
    await narrowed.promise;
    await route.continue();
  });
  await page.context().clearCookies();
  await page.getByLabel('State').selectOption('failed');
  narrowed.resolve(undefined);
  await page.getByLabel('API key or user token').fill(api.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(new URL(page.url()).search).toBe('?outcome=failed');
});
