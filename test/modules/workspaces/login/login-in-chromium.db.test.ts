import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { startApi, type Api } from '../../../labs/api-lab.ts';
import { openWatched, startChromium } from '../../../labs/chromium/chromium.ts';
import { audience, pageClient, startOpenIdProvider, type Claims } from '../../../servers/openid-provider.ts';

const workspace = newId();
const people: Record<string, Claims> = {
  ada: { email: 'ada@example.com', email_verified: true, roles: ['editor'], groups: ['finance'] },
  olga: { email: 'olga@example.com', email_verified: true, roles: ['admin'] },
  nobody: { email: 'nobody@example.com', email_verified: true, roles: ['king'] },
  fake: { email: 'olga@example.com', email_verified: false, roles: ['admin'] },
};

let api: Api;
let browser: Browser;
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;

beforeAll(async () => {
  provider = await startOpenIdProvider((subject) => people[subject] ?? {});
  const providers = [{ issuer: provider.issuer, audience, workspace, login: pageClient }];
  [api, browser] = await Promise.all([
    startApi({}, { HOLDFAST_IDENTITY_PROVIDERS: JSON.stringify(providers) }),
    startChromium(),
  ]);
  await api.database.system('workspaces').insert({ id: workspace, name: 'Acme' });
});
afterAll(async () => {
  await browser.close();
  await api.stop();
  await provider.close();
});

/** Signs a person in at the provider, who has come there from Holdfast. */
async function signIn(page: Page, subject: string): Promise<void> {
  await page.fill('input[name=login]', subject);
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  // The consent of the provider.
  await page.click('button[type=submit]');
}

async function openPage() {
  const watched = await openWatched(browser);
  onTestFinished(() => watched.page.context().close());
  return watched;
}

/** The cookies of Holdfast: those of the provider go to every port of its host. */
async function listCookies(page: Page) {
  const cookies = await page.context().cookies(`${api.url}/api/login`);
  return cookies.filter(({ name }) => name.startsWith('holdfast'));
}

/** Sends a request from a script of the page, as a page of Holdfast does. */
function callFrom(page: Page, request: `${string} ${string}`, body?: object) {
  const [method, path] = request.split(' ');
  return page.evaluate<{ status: number; answer: { data: Record<string, unknown> } }>(`(async () => {
    const response = await fetch('${path}', {
      method: '${method}',
      ${body === undefined ? '' : `headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}',`}
    });
    return { status: response.status, answer: await response.json() };
  })()`);
}

describe('a person signs in at the OpenID provider in Chromium', () => {
  test('and comes back with a session to the page where the sign-in began', async () => {
    const { page, requests } = await openPage();
    await page.goto(`${api.url}/api/login?returnTo=/api/session`);
    expect(new URL(page.url()).origin).toBe(provider.issuer);
    await signIn(page, 'ada');
    await page.waitForURL(`${api.url}/api/session`);
    expect(JSON.parse(await page.innerText('body'))).toMatchObject({
      data: {
        identity: { workspaceId: workspace, person: 'ada@example.com', groups: ['finance'], reach: 'own' },
      },
    });
    expect(await listCookies(page)).toMatchObject([
      { name: 'holdfast_session', httpOnly: true, sameSite: 'Strict' },
    ]);
    expect(await page.evaluate('document.cookie')).toBe('');

    const agent = { name: 'Desk', model: 'demo', instructions: 'Help.' };
    expect((await callFrom(page, 'POST /api/agents', agent)).status).toBe(403);
    expect((await callFrom(page, 'GET /api/conversations')).status).toBe(200);
    expect((await callFrom(page, 'DELETE /api/session')).status).toBe(200);
    expect((await callFrom(page, 'GET /api/session')).status).toBe(401);

    // The address at which the browser came back is worth nothing a second time.
    const callback = requests.find((address) => address.includes('/api/login/callback?')) ?? '';
    await page.goto(callback);
    expect(await page.innerText('main')).toContain('has begun no sign-in');
  });

  test('and a page of another origin cannot use that session', async () => {
    const { page } = await openPage();
    await page.goto(`${api.url}/api/login?returnTo=/api/session`);
    await signIn(page, 'olga');
    await page.waitForURL(`${api.url}/api/session`);
    const agent = { name: 'Desk', model: 'demo', instructions: 'Help.' };
    expect((await callFrom(page, 'POST /api/agents', agent)).status).toBe(201);
    const count = async () => (await api.database.system('agents').where({ workspace_id: workspace })).length;
    const before = await count();

    // The same host with another port is another origin of the same site, to which browsers send strict cookies too.
    await page.goto(`${provider.issuer}/`);
    const sent = await page.evaluate(`fetch('${api.url}/api/agents', {
      method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'content-type': 'text/plain' },
      body: '${JSON.stringify(agent)}',
    }).then(({ type }) => type)`);
    expect(sent).toBe('opaque');
    await page.evaluate(`(() => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = '${api.url}/api/agents';
      document.body.append(form);
      form.submit();
    })()`);
    await page.waitForURL(`${api.url}/api/agents`);
    expect(await page.innerText('body')).toContain('FORBIDDEN');
    expect(await count()).toBe(before);
  });

  test.each([
    ['nobody', 'names no role of Holdfast'],
    ['fake', 'is not verified'],
  ])('and %s gets no session', async (subject, reason) => {
    const { page } = await openPage();
    await page.goto(`${api.url}/api/login`);
    await signIn(page, subject);
    await page.waitForURL(`${api.url}/api/login/callback?**`);
    expect(await page.innerText('main')).toContain(reason);
    expect(await listCookies(page)).toEqual([]);
  });
});

/** Begins a sign-in, and returns its cookie and the address to which the browser is sent. */
async function begin(query = '') {
  const response = await fetch(`${api.url}/api/login${query}`, { redirect: 'manual' });
  const [header = ''] = response.headers.getSetCookie();
  return {
    status: response.status,
    cookie: header.split(';')[0] ?? '',
    header,
    location: new URL(response.headers.get('location') ?? 'none:'),
  };
}

describe('a sign-in', () => {
  test('begins with a state, a nonce and a challenge, which the browser alone keeps', async () => {
    const { status, header, location } = await begin('?returnTo=/runs%3Fa=1');
    expect([status, location.origin]).toEqual([302, provider.issuer]);
    const { searchParams } = location;
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ client_id: 'pages', response_type: 'code', scope: 'openid email profile' },
      ...{ redirect_uri: `${api.url}/api/login/callback`, code_challenge_method: 'S256' },
    });
    expect(header).toMatch(/^holdfast_login=[\w-]+; Path=\/api\/login; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect((await begin()).location.searchParams.get('state')).not.toBe(searchParams.get('state'));
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a%0d%0ab', 'runs', ''])(
    'does not send the browser on to %s',
    async (returnTo) => {
      const { status } = await begin(`?returnTo=${encodeURIComponent(decodeURIComponent(returnTo))}`);
      expect(status).toBe(400);
    },
  );

  test('is refused when the browser has not begun it, and with another state', async () => {
    const { cookie } = await begin();
    const back = (query: string, headers: Record<string, string>) =>
      fetch(`${api.url}/api/login/callback?${query}`, { headers });
    for (const answer of [
      await back('code=abc&state=abc', {}),
      await back('code=abc&state=abc', { cookie: 'holdfast_login=bm9uc2Vuc2U' }),
      await back(`code=abc&state=abc&iss=${encodeURIComponent(provider.issuer)}`, { cookie }),
      await back('error=access_denied', { cookie }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.headers.getSetCookie().filter((set) => set.startsWith('holdfast_session'))).toEqual([]);
      expect(await answer.text()).toContain('Not signed in');
    }
  });

  test('at a provider that is not known is refused', async () => {
    expect((await begin('?provider=https://evil.example')).status).toBe(404);
  });
});
