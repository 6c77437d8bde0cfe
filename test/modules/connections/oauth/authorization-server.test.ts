import { expect, test } from 'vitest';
import { discoverAuthorizationServer } from '../../../../src/modules/connections/oauth/authorization-server.ts';

test('metadata is requested at the origin of the issuer, for every form of its path', async () => {
  const asked: string[] = [];
  const answer = (url: string | URL) => {
    asked.push(new URL(url).origin);
    return Promise.resolve(new Response('{}', { status: 404 }));
  };
  const fetch = Object.assign(answer, { close: () => Promise.resolve() });
  const issuer = 'https://auth.example//other.example/';
  const wanted = { resource: 'https://mcp.example/', scopes: [] };
  await expect(discoverAuthorizationServer(fetch, issuer, wanted)).rejects.toMatchObject({
    code: 'AUTHORIZATION_FAILED',
  });
  expect(asked).toEqual(['https://auth.example', 'https://auth.example', 'https://auth.example']);
});

test('a server whose metadata has no valid lists is refused', async () => {
  const issuer = 'https://auth.example';
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    code_challenge_methods_supported: 7,
    token_endpoint_auth_methods_supported: 7,
  };
  const fetch = Object.assign(() => Promise.resolve(Response.json(metadata)), {
    close: () => Promise.resolve(),
  });
  const wanted = { resource: 'https://mcp.example/', scopes: [] };
  await expect(discoverAuthorizationServer(fetch, issuer, wanted)).rejects.toMatchObject({
    code: 'AUTHORIZATION_FAILED',
    message: 'The authorization server at https://auth.example does not support PKCE with S256.',
  });
  metadata.code_challenge_methods_supported = ['S256'] as never;
  expect((await discoverAuthorizationServer(fetch, issuer, wanted)).clientAuthentications).toEqual([]);
});
