import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import { createConnections } from '../../../src/main/create-connections.ts';
import { createKeyRing } from '../../../src/platform/secrets/key-ring.ts';
import { startConnectionLab, type ConnectionLab } from '../../labs/connection-lab.ts';
import { eventually } from '../../labs/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';
import { startOAuthServer, startResourceServer } from '../../servers/oauth-server.ts';

let lab: ConnectionLab;
let proxy: TcpProxy;
let database: Database;

beforeAll(async () => {
  lab = await startConnectionLab();
  proxy = await startTcpProxy(lab.databaseUrl);
  database = connectDatabase({ url: proxy.url });
});
afterAll(async () => {
  await database.close();
  await proxy.close();
  await lab.stop();
});

test('new tokens are stored also when the database was away while the authorization server answered', async () => {
  const oauth = await startOAuthServer();
  const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer });
  const { id } = await lab.create({ endpoint: mcp.endpoint, auth: { type: 'oauth2_authorization_code' } });
  await lab.authorize(id);
  const services = createConnections({
    config: { allowLoopback: { connections: true, tools: true } },
    database,
    keyRing: createKeyRing({ keys: lab.keys }),
    findProvider: () => Promise.resolve(undefined),
  });
  const { fetch } = await services.connectionAccess.open({ workspaceId: lab.workspaceId, connectionId: id });
  oauth.endAccessTokens();
  oauth.state.delayMs = 300;
  const using = fetch(mcp.endpoint);
  const isRefresh = ({ body }: { body: string }) => body.includes('grant_type=refresh_token');
  await eventually(() => oauth.requests.some(isRefresh), Boolean);
  await proxy.cut();
  await eventually(
    () => oauth.counts.refreshes,
    (count) => count === 1,
  );
  await lab.database.system.raw('SELECT pg_sleep(0.5)');
  await proxy.mend();
  expect((await using).status).toBe(200);
  await services.close();
  expect((await (await lab.open(id)).fetch(mcp.endpoint)).status).toBe(200);
  expect([oauth.counts.refreshes, oauth.grants.map(({ isRevoked }) => isRevoked)]).toEqual([1, [false]]);
  await oauth.close();
  await mcp.close();
});
