import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createConnections } from '../../../../src/main/create-connections.ts';
import { wasSent } from '../../../../src/platform/egress/was-sent.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { createKeyRing } from '../../../../src/platform/secrets/key-ring.ts';
import {
  startOAuthServer,
  startResourceServer,
  type OAuthServer,
  type ResourceServer,
} from '../../../servers/oauth-server.ts';
import { startConnectionLab, type ConnectionLab } from '../../../labs/connection-lab.ts';
import { eventually } from '../../../labs/eventually.ts';

let lab: ConnectionLab;
const opened: { close: () => void }[] = [];

beforeAll(async () => {
  lab = await startConnectionLab();
});
afterAll(() => lab.stop());
afterEach(() => {
  for (const part of opened.splice(0)) part.close();
});

interface Scene {
  id: string;
  oauth: OAuthServer;
  mcp: ResourceServer;
}

/** A connection that a person has consented to. */
async function startScene(options: Parameters<typeof startOAuthServer>[0] = {}): Promise<Scene> {
  const oauth = await startOAuthServer(options);
  const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer });
  opened.push(oauth, mcp);
  const { id } = await lab.create({ endpoint: mcp.endpoint, auth: { type: 'oauth2_authorization_code' } });
  await lab.authorize(id);
  return { id, oauth, mcp };
}

function startProcess({ id, mcp }: Scene): ChildProcess {
  const child = fork(path.join(import.meta.dirname, '../../../labs/refresh-process.ts'), { execArgv: [] });
  const { databaseUrl, keys, workspaceId } = lab;
  child.send({ databaseUrl, keys, workspaceId, connectionId: id, url: mcp.endpoint });
  return child;
}

describe('an access token', () => {
  test('that expired is refreshed once for callers in two processes, and the grant stays valid', async () => {
    const scene = await startScene();
    const { oauth } = scene;
    const processes = [startProcess(scene), startProcess(scene)];
    await Promise.all(processes.map((child) => once(child, 'message')));
    oauth.endAccessTokens();
    oauth.state.delayMs = 300;
    const exits = processes.map((child) => once(child, 'exit'));
    const answers = processes.map((child) => once(child, 'message'));
    for (const child of processes) child.send('go');
    const statuses = (await Promise.all(answers)).flatMap(([given]) => given as number[]);
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    expect(oauth.counts.refreshes).toBe(1);
    expect(oauth.grants.map(({ isRevoked }) => isRevoked)).toEqual([false]);
    await Promise.all(exits);
  });

  test('is refreshed shortly before it expires', async () => {
    const { id, oauth, mcp } = await startScene({ expiresInSeconds: 1 });
    await lab.database.system.raw('SELECT pg_sleep(0.6)');
    const { fetch } = await lab.open(id);
    expect((await fetch(mcp.endpoint)).status).toBe(200);
    expect(oauth.counts.refreshes).toBe(1);
    const unauthorized = mcp.requests.filter(
      ({ path: asked, headers }) => asked === '/mcp' && headers.authorization,
    );
    expect(unauthorized).toHaveLength(1);
  });

  test('is refreshed after a 401, and the request is sent again unchanged', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch, redact } = await lab.open(id);
    oauth.endAccessTokens();
    const response = await fetch(mcp.endpoint, {
      method: 'POST',
      body: 'important',
      headers: { 'x-mine': '1' },
    });
    expect(await response.json()).toMatchObject({ body: 'important' });
    expect(mcp.requests.at(-1)?.headers['x-mine']).toBe('1');
    const [grant] = oauth.grants;
    for (const secret of [grant?.refreshToken ?? '', ...(grant?.accessTokens ?? [])]) {
      expect(redact(`<${secret}>`)).toBe('<[redacted]>');
    }
  });

  test('that is refused again after its refresh returns the 401 response', async () => {
    const { id, oauth } = await startScene();
    const never = await startResourceServer({ isGood: () => false });
    opened.push(never);
    await lab.database.system('connections').where({ id }).update({ endpoint: never.endpoint });
    const { fetch } = await lab.open(id);
    expect((await fetch(never.endpoint)).status).toBe(401);
    expect(oauth.counts.refreshes).toBe(1);
  });

  test('is stored also when its lifetime exceeds the largest date', async () => {
    const { id, mcp } = await startScene({ expiresInSeconds: 1e300 });
    const { fetch, connection } = await lab.open(id);
    expect((await fetch(mcp.endpoint)).status).toBe(200);
    expect(connection.expiresAt).toBeNull();
  });

  test('is refreshed without undoing a later change of the connection', async () => {
    const { id, oauth, mcp } = await startScene();
    const before = await lab.find(id);
    oauth.endAccessTokens();
    const { fetch } = await lab.open(id);
    await fetch(mcp.endpoint);
    expect((await lab.find(id)).updatedAt).toBe(before.updatedAt);
  });
});

describe('a token refresh', () => {
  test('that is refused sets the connection to expired', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch, connection } = await lab.open(id);
    oauth.endAccessTokens();
    oauth.revokeGrants();
    const expired = {
      code: 'CONNECTION_NOT_ACTIVE',
      message: `Connection ${connection.name} is expired. Please reconnect.`,
    };
    await expect(fetch(mcp.endpoint)).rejects.toMatchObject(expired);
    const now = await lab.find(id);
    expect(now.status).toBe('expired');
    expect(now.statusReason).toContain('refused: invalid_grant');
    expect(now.statusReason).not.toMatch(/access-|refresh-/);
    await expect(lab.open(id)).rejects.toMatchObject(expired);
    expect(await lab.listAudit(id)).toEqual([
      'connection.created',
      'connection.authorized',
      'connection.expired',
    ]);
    oauth.state.isDown = false;
    expect((await lab.authorize(id)).status).toBe('active');
  });

  test('that fails at the server leaves the connection active', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch } = await lab.open(id);
    oauth.endAccessTokens();
    oauth.state.isDown = true;
    await expect(fetch(mcp.endpoint)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
      retryable: true,
    });
    expect((await lab.find(id)).status).toBe('active');
    oauth.state.isDown = false;
    expect((await fetch(mcp.endpoint)).status).toBe(200);
  });

  test('that cannot reach the server leaves the connection active', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch } = await lab.open(id);
    oauth.endAccessTokens();
    await oauth.close();
    await expect(fetch(mcp.endpoint)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
      retryable: true,
    });
    expect((await lab.find(id)).status).toBe('active');
  });

  test('does not restore a connection that was revoked meanwhile', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch } = await lab.open(id);
    oauth.endAccessTokens();
    oauth.state.delayMs = 300;
    const using = fetch(mcp.endpoint).catch((error: unknown) => error);
    await lab.database.system.raw('SELECT pg_sleep(0.1)');
    await lab.update(id, { status: 'revoked' });
    expect(await using).toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });
    const row = await lab.database
      .system('connections')
      .where({ id })
      .first<{ sealed: unknown; status: string }>();
    expect([row.sealed, row.status]).toEqual([null, 'revoked']);
  });

  test('that takes longer than the call may take fails the call as not sent', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch } = await lab.open(id);
    oauth.endAccessTokens();
    oauth.state.delayMs = 400;
    const failure: unknown = await fetch(mcp.endpoint, { signal: AbortSignal.timeout(100) }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'AUTHORIZATION_FAILED', retryable: true });
    expect(wasSent(failure)).toBe(false);
  });

  test('that runs when the program stops is completed, so that its tokens are not lost', async () => {
    const scene = await startScene();
    const { oauth, mcp } = scene;
    const keyRing = createKeyRing({ keys: lab.keys });
    const { database } = lab;
    const config = { allowLoopback: { connections: true, tools: true } };
    const services = createConnections({
      config,
      database,
      keyRing,
      findProvider: () => Promise.resolve(undefined),
    });
    const request = { workspaceId: lab.workspaceId, connectionId: scene.id };
    const { fetch } = await services.connectionAccess.open(request);
    oauth.endAccessTokens();
    oauth.state.delayMs = 300;
    const using = fetch(mcp.endpoint).catch((error: unknown) => error);
    await lab.database.system.raw('SELECT pg_sleep(0.1)');
    await services.close();
    await using;
    await lab.database.system.raw('SELECT pg_sleep(0.4)');
    oauth.state.delayMs = 0;
    expect((await (await lab.open(scene.id)).fetch(mcp.endpoint)).status).toBe(200);
    expect(oauth.grants.map(({ isRevoked }) => isRevoked)).toEqual([false]);
  });

  test('leaves no transaction open while the authorization server answers', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch } = await lab.open(id);
    oauth.endAccessTokens();
    oauth.state.delayMs = 500;
    const using = fetch(mcp.endpoint);
    const isRefresh = ({ body }: { body: string }) => body.includes('grant_type=refresh_token');
    await eventually(() => oauth.requests.some(isRefresh), Boolean);
    // A transaction keeps the locks of all that it read until it ends.
    const { rows } = await lab.database.system.raw<{ rows: { mode: string }[] }>(
      `SELECT mode FROM pg_locks WHERE relation = 'connections'::regclass AND pid <> pg_backend_pid()`,
    );
    expect(rows).toEqual([]);
    expect((await using).status).toBe(200);
  });

  test('of a process that died is done by another one when the lease has ended', async () => {
    const { id, oauth, mcp } = await startScene();
    const { fetch } = await lab.open(id);
    oauth.endAccessTokens();
    const until = lab.database.system.raw(`now() + interval '0.4 seconds'`);
    await lab.database
      .system('connections')
      .where({ id })
      .update({ refresh_holder: newId(), refresh_until: until });
    expect((await fetch(mcp.endpoint)).status).toBe(200);
    expect(oauth.counts.refreshes).toBe(1);
  });

  test('continues for other callers when one caller stops waiting', async () => {
    const { id, oauth, mcp } = await startScene();
    const [one, other] = [await lab.open(id), await lab.open(id)];
    oauth.endAccessTokens();
    oauth.state.delayMs = 200;
    const controller = new AbortController();
    const impatient = one.fetch(mcp.endpoint, { signal: controller.signal }).catch((error: unknown) => error);
    const patient = other.fetch(mcp.endpoint);
    controller.abort(new Error('given up'));
    expect(await impatient).toBeInstanceOf(Error);
    expect((await patient).status).toBe(200);
    expect(oauth.counts.refreshes).toBe(1);
  });
});

describe('a connection with client credentials', () => {
  async function startClient() {
    const oauth = await startOAuthServer({
      clients: { service: { secret: 's3cret & more', redirectUris: [] } },
    });
    const resource = await startResourceServer({ isGood: oauth.isGood });
    opened.push(oauth, resource);
    const create = (clientSecret: string) =>
      lab.create({
        endpoint: resource.endpoint,
        auth: {
          type: 'oauth2_client_credentials',
          tokenUrl: `${oauth.issuer}/token`,
          clientId: 'service',
          clientSecret,
        },
      });
    return { oauth, resource, create };
  }

  test('requests a token once and stores it', async () => {
    const { oauth, resource, create } = await startClient();
    const { id } = await create('s3cret & more');
    for (let count = 0; count < 3; count += 1) {
      const { fetch } = await lab.open(id);
      expect((await fetch(resource.endpoint)).status).toBe(200);
    }
    expect(oauth.counts.clientTokens).toBe(1);
    expect(JSON.stringify(resource.requests)).not.toContain('s3cret');
    oauth.endAccessTokens();
    const { fetch } = await lab.open(id);
    expect((await fetch(resource.endpoint)).status).toBe(200);
    expect(oauth.counts.clientTokens).toBe(2);
  });

  test('is set to expired when the credentials are refused', async () => {
    const { resource, create } = await startClient();
    const { id } = await create('not the secret');
    const { fetch } = await lab.open(id);
    await expect(fetch(resource.endpoint)).rejects.toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });
    expect(await lab.find(id)).toMatchObject({
      status: 'expired',
      statusReason: expect.stringContaining('invalid_client') as string,
    });
  });
});
