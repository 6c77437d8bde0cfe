import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { consentInBrowser, createBrowser } from '../../../labs/browser.ts';
import { giveConsent, startOAuthServer, startResourceServer } from '../../../servers/oauth-server.ts';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

async function create(body: Record<string, unknown>): Promise<string> {
  const { data } = await api.call('POST', '/api/connections', { body: { name: newId(), ...body } });
  return data.connection.id;
}

async function startScene(name = `Files ${newId()}`) {
  const oauth = await startOAuthServer();
  const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer });
  const auth = { type: 'oauth2_authorization_code' };
  const id = await create({ name, provider: 'mcp', endpoint: mcp.endpoint, auth });
  const close = () => Promise.all([oauth.close(), mcp.close()]);
  return { oauth, mcp, id, name, close };
}

async function findLink(id: string, query = ''): Promise<string> {
  return (await api.call('GET', `/api/connections/${id}/authorize${query}`)).data.url;
}

async function findStatus(id: string): Promise<string> {
  return (await api.call('GET', `/api/connections/${id}`)).data.connection.status;
}

/** Opens the link as a browser does, without following it; returns the cookie and the address at the server. */
async function openLink(link: string) {
  const response = await fetch(link, { redirect: 'manual' });
  const cookie = response.headers.get('set-cookie') ?? '';
  return { response, cookie, sent: cookie.split(';')[0] ?? '', url: response.headers.get('location') ?? '' };
}

const connect = { name: 'decision', value: 'connect' };
const refuse = { name: 'decision', value: 'refuse' };

describe('a consent in the browser', () => {
  test('names the connection and the workspace before anything is stored, and ends on a page that confirms it', async () => {
    const { id, name, oauth, mcp, close } = await startScene();
    const browser = createBrowser();
    const page = await browser.open(await findLink(id));
    const question = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    for (const text of [name, 'test', mcp.endpoint, new URL(oauth.issuer).host, 'Do not connect'])
      expect(question).toContain(text);
    expect(await findStatus(id)).toBe('expired');
    expect(oauth.grants).toEqual([]);

    const end = await browser.press(question, connect);
    const text = await end.text();
    expect([end.status, text]).toEqual([200, expect.stringContaining(`${name} can be used now`)]);
    expect(await findStatus(id)).toBe('active');
    const { workspaceId } = api;
    const open = await api.services.connectionAccess.open({ workspaceId, connectionId: id });
    expect((await open.fetch(mcp.endpoint)).status).toBe(200);
    const [grant] = oauth.grants;
    for (const secret of [grant?.refreshToken, ...(grant?.accessTokens ?? [])]) {
      expect(secret).toBeTruthy();
      expect(`${question}${text}${api.logLines.join('')}`).not.toContain(secret);
    }
    const [, code = ''] = /name="code" value="([^"]+)"/.exec(question) ?? [];
    expect(code).not.toBe('');
    expect(`${text}${api.logLines.join('')}`).not.toContain(code);
    expect((await browser.press(question, connect)).status).toBe(400);
    await close();
  });

  test('stores nothing for a person who does not want to connect, and cannot be used afterwards', async () => {
    const { id, oauth, close } = await startScene();
    const browser = createBrowser();
    const link = await findLink(
      id,
      `?returnUrl=${encodeURIComponent('https://app.example.com/settings?a=1')}`,
    );
    const question = await (await browser.open(link)).text();
    const text = await (await browser.press(question, refuse)).text();
    expect(text).toContain('Nothing was stored');
    expect(text).toContain('<a href="https://app.example.com/settings?a=1">Back to app.example.com</a>');
    expect(oauth.grants).toEqual([]);
    expect((await browser.press(question, connect)).status).toBe(400);
    expect((await browser.open(link)).status).toBe(400);
    expect(await findStatus(id)).toBe('expired');
    await close();
  });

  test('ends with a link to the address that the caller named', async () => {
    const { id, close } = await startScene();
    const { text } = await consentInBrowser(await findLink(id, '?returnUrl=https://app.example.com/'));
    expect(text).toContain('Back to app.example.com');
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '/settings'])
      expect(
        (await api.call('GET', `/api/connections/${id}/authorize?returnUrl=${encodeURIComponent(url)}`))
          .status,
      ).toBe(400);
    await close();
  });

  test('can start with a redirect', async () => {
    const { id, close } = await startScene();
    const response = await fetch(`${api.url}/api/connections/${id}/authorize?redirect=true`, {
      headers: { authorization: `Bearer ${api.key}` },
      redirect: 'manual',
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(new RegExp(`^${api.url}/api/oauth/start\\?request=`));
    await close();
  });

  test('that was refused at the server ends on a page with the reason, escaped as text', async () => {
    const { id, close } = await startScene();
    const { url, sent: cookie } = await openLink(await findLink(id));
    const state = new URL(url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
    });
    const address = `${api.url}/api/oauth/callback?${query.toString()}`;
    const page = await fetch(address, { headers: { cookie } });
    const text = await page.text();
    expect(page.status).toBe(400);
    expect(text).toContain('access_denied');
    expect(text).not.toContain('<script');
    await close();
  });

  test.each([
    '',
    '?state=',
    '?state=unknown&code=x',
    '?state=a&state=b',
    '?state=a.b&code=x',
    '?state=..&error=x',
  ])('with the unknown query "%s" ends on a page with an error', async (query) => {
    const page = await fetch(`${api.url}/api/oauth/callback${query}`);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('Not connected');
  });

  test('is refused for a connection with another kind of auth', async () => {
    const id = await create({ provider: 'slack', auth: { type: 'bearer', token: 'token-1234567890' } });
    const { status, error } = await api.call('GET', `/api/connections/${id}/authorize`);
    expect([status, error.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('the browser of a consent', () => {
  test('gets a cookie that no script reads and no form of another site sends', async () => {
    const { id, oauth, close } = await startScene();
    const { response, cookie, url } = await openLink(await findLink(id));
    expect(response.status).toBe(302);
    expect(cookie).toMatch(
      /^holdfast_consent_[\w-]{16}=[\w-]{43}; Path=\/api\/oauth; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect(url).toMatch(new RegExp(`^${oauth.issuer}/authorize\\?`));
    // Neither the address nor the state has the secret of the cookie.
    expect(url).not.toContain(/=([\w-]{43});/.exec(cookie)?.[1]);
    await close();
  });

  test('is the only one that can come back: a victim who is sent the address of the server connects nothing', async () => {
    const { id, oauth, close } = await startScene();
    const attacker = await openLink(await findLink(id));
    const back = await giveConsent(attacker.url);
    const victim = await fetch(back);
    expect(victim.status).toBe(400);
    expect(await victim.text()).toContain('was not started in this browser');
    const form = new URLSearchParams([...back.searchParams, ['decision', 'connect']]);
    const posted = await fetch(`${api.url}/api/oauth/callback`, { method: 'POST', body: form });
    expect(posted.status).toBe(400);
    // A browser that has opened the link for itself is bound to its own state only.
    const other = await openLink(await findLink(id));
    const again = await openLink(attacker.response.url);
    for (const cookie of [other.sent, again.sent])
      expect((await fetch(back, { headers: { cookie } })).status).toBe(400);
    expect(oauth.grants).toEqual([]);
    expect(await findStatus(id)).toBe('expired');
    await close();
  });

  test('may hold the consents of several connections at the same time', async () => {
    const [one, other] = [await startScene(), await startScene()];
    const browser = createBrowser();
    const questions = [];
    for (const { id } of [one, other]) questions.push(await (await browser.open(await findLink(id))).text());
    for (const question of questions) expect((await browser.press(question, connect)).status).toBe(200);
    expect([await findStatus(one.id), await findStatus(other.id)]).toEqual(['active', 'active']);
    await Promise.all([one.close(), other.close()]);
  });

  test('shows names as text, whatever they hold', async () => {
    const { id, close } = await startScene(`<b onclick="x">&"'</b> ${newId()}`);
    const { question } = await consentInBrowser(await findLink(id));
    expect(question).toContain('&lt;b onclick=&quot;x&quot;&gt;');
    expect(question).not.toContain('<b ');
    await close();
  });
});
