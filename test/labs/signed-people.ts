import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { scopes } from '../../src/domain/scope.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { startHttpServer } from '../servers/http-server.ts';
import { startApi, type Api } from './api-lab.ts';

const issuer = 'https://people.example.com';
const audience = 'https://holdfast.test';

/** The claims of a token that differ from those of other tokens; `iat` and `exp` in seconds from now. */
interface TokenClaims {
  roles?: string[];
  groups?: string[];
  iat?: number;
  exp?: number;
  [claim: string]: unknown;
}

/** An API whose people sign in with tokens that the test signs, and an admin who signed in. */
export async function startPeopleApi(environment: Record<string, string> = {}) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
  const keyServer = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  const workspaceId = newId();
  const provider = { issuer, audience, jwksUrl: `${keyServer.url}/keys`, workspace: workspaceId };
  const api = await startApi({}, { HOLDFAST_IDENTITY_PROVIDERS: JSON.stringify([provider]), ...environment });
  await api.database.system('workspaces').insert({ id: workspaceId, name: 'People' });
  const sign = (subject: string, { iat = 0, exp = 300, ...claims }: TokenClaims = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({
      ...{ iss: issuer, aud: audience, sub: subject, iat: now + iat, exp: now + exp },
      ...{ email: `${subject}@example.com`, email_verified: true, ...claims },
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(privateKey);
  };
  const key = await api.createKey(workspaceId, [...scopes]);
  const call: Api['call'] = (method, path, options) => api.call(method, path, { key, ...options });
  return {
    api: { ...api, workspaceId, key, call } satisfies Api,
    sign,
    stop: async () => {
      await api.stop();
      await keyServer.close();
    },
  };
}
