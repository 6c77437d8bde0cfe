import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { giveConsent, startOAuthServer, startResourceServer } from '../../servers/oauth-server.ts';
import { startApi, type Api } from '../../labs/api-lab.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function create(body: Record<string, unknown>): Promise<string> {
  const { data } = await api.call('POST', '/api/connections', { body: { name: newId(), ...body } });
  return data.connection.id;
}

describe('a consent in the browser', () => {
  async function startScene() {
    const oauth = await startOAuthServer();
    const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer });
    const auth = { type: 'oauth2_authorization_code' };
    const id = await create({ provider: 'mcp', endpoint: mcp.endpoint, auth });
    const close = () => Promise.all([oauth.close(), mcp.close()]);
    return { oauth, mcp, id, close };
  }

  test('ends on a page that confirms it, and the connection can be used', async () => {
    const { id, oauth, mcp, close } = await startScene();
    const { data, headers } = await api.call('GET', `/api/connections/${id}/authorize`);
    expect(headers.get('cache-control')).toBe('no-store');
    const back = await giveConsent(data.url);
    expect(back.href).toMatch(new RegExp(`^${api.url}/api/oauth/callback\\?`));
    expect((await fetch(back, { method: 'HEAD' })).status).not.toBe(200);
    const page = await fetch(back);
    const text = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).toContain('Connected');
    expect((await api.call('GET', `/api/connections/${id}`)).data.connection.status).toBe('active');
    const { workspaceId } = api;
    const open = await api.services.connectionAccess.open({ workspaceId, connectionId: id });
    expect((await open.fetch(mcp.endpoint)).status).toBe(200);
    const [grant] = oauth.grants;
    const secrets = [grant?.refreshToken, ...(grant?.accessTokens ?? []), ...back.searchParams.values()];
    for (const secret of secrets.filter((one) => one !== oauth.issuer)) {
      expect(secret).toBeTruthy();
      expect(`${text}${api.logLines.join('')}`).not.toContain(secret);
    }
    expect((await fetch(back)).status).toBe(400);
    await close();
  });

  test('can start with a redirect', async () => {
    const { id, oauth, close } = await startScene();
    const response = await fetch(`${api.url}/api/connections/${id}/authorize?redirect=true`, {
      headers: { authorization: `Bearer ${api.key}` },
      redirect: 'manual',
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(new RegExp(`^${oauth.issuer}/authorize\\?`));
    await close();
  });

  test('that was refused ends on a page with the reason, escaped as text', async () => {
    const { id, close } = await startScene();
    const { data } = await api.call('GET', `/api/connections/${id}/authorize`);
    const state = new URL(data.url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
    });
    const page = await fetch(`${api.url}/api/oauth/callback?${query.toString()}`);
    const text = await page.text();
    expect(page.status).toBe(400);
    expect(text).toContain('access_denied');
    expect(text).not.toContain('<script');
    await close();
  });

  test.each(['', '?state=', '?state=unknown&code=x', '?state=a&state=b'])(
    'with the unknown query "%s" ends on a page with an error',
    async (query) => {
      const page = await fetch(`${api.url}/api/oauth/callback${query}`);
      expect(page.status).toBe(400);
      expect(await page.text()).toContain('Not connected');
    },
  );

  test('is refused for a connection with another kind of auth', async () => {
    const id = await create({ provider: 'slack', auth: { type: 'bearer', token: 'token-1234567890' } });
    const { status, error } = await api.call('GET', `/api/connections/${id}/authorize`);
    expect([status, error.code]).toEqual([409, 'CONFLICT']);
  });
});
