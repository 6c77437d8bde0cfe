import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createConnections } from '../../src/main/create-connections.ts';
import type { ConnectionParts } from '../../src/modules/connections/connection-parts.ts';
import { createConnection } from '../../src/modules/connections/create-connection.ts';
import { openConsent } from '../../src/modules/connections/oauth/consent.ts';
import { finishAuthorization } from '../../src/modules/connections/oauth/finish-authorization.ts';
import { startAuthorization } from '../../src/modules/connections/oauth/start-authorization.ts';
import { updateConnection } from '../../src/modules/connections/update-connection.ts';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { createConnectionRepository } from '../../src/modules/connections/connection-repository.ts';
import {
  connectionInputSchema,
  type Connection,
  type ConnectionChange,
} from '../../src/domain/connection.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createKeyRing } from '../../src/platform/secrets/key-ring.ts';
import { createTestDatabase } from './postgres.ts';
import { startHttpServer } from '../servers/http-server.ts';
import { giveConsent } from '../servers/oauth-server.ts';
import { chainAudit } from './chain-audit.ts';

interface LabOptions {
  findProvider?: ConnectionParts['findProvider'];
  /** @default one of http, which is no client id */
  clientMetadataUrl?: string;
}

/** The address of an API that does not run; tests do the work of browsers. */
const publicUrl = 'http://127.0.0.1:1';

/** The callback of that API. */
export const redirectUri = `${publicUrl}/api/oauth/callback`;

/** The services of connections, with their own database and encryption keys. */
export async function startConnectionLab({
  findProvider = () => Promise.resolve(undefined),
  clientMetadataUrl = `${publicUrl}/api/oauth/client-metadata.json`,
}: LabOptions = {}) {
  const testDatabase = await createTestDatabase();
  const database = connectDatabase({ url: testDatabase.url });
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  const config = { allowLoopback: { connections: true, tools: true } };
  const services = createConnections({ config, database, keyRing: createKeyRing({ keys }), findProvider });
  const dependencies = {
    ...services,
    publicUrl: () => publicUrl,
    clientMetadataUrl: () => clientMetadataUrl,
    releaseConnection: () => undefined,
  };
  const workspaceId = await createWorkspace();

  async function createWorkspace(): Promise<string> {
    const id = newId();
    await database.system('workspaces').insert({ id, name: 'test' });
    return id;
  }

  /** Creates a connection as the API does. */
  async function create(input: Record<string, unknown>): Promise<Connection> {
    const named = { name: `Connection ${newId()}`, provider: 'mcp', ...input };
    const actor = { workspaceId, apiKeyId: newId() };
    return createConnection(dependencies, actor, connectionInputSchema.parse(named));
  }

  async function find(connectionId: string): Promise<Connection> {
    const found = await database.inWorkspace(workspaceId, (trx) =>
      createConnectionRepository(trx).findConnection(connectionId),
    );
    if (!found) throw new Error(`there is no connection ${connectionId}`);
    return found.connection;
  }

  function update(id: string, change: ConnectionChange): Promise<Connection> {
    return updateConnection(dependencies, { workspaceId }, { id, change });
  }

  /** The cookies of the browser, by the state that each was bound to. */
  const cookies = new Map<string, string>();

  /** Returns the address at the authorization server, as the browser gets it that opens the link. */
  async function start(connectionId: string): Promise<{ url: string }> {
    const link = await startAuthorization(dependencies, { workspaceId }, { connectionId });
    const request = new URL(link.url).searchParams.get('request') ?? '';
    const { url, browser } = await openConsent(dependencies, request);
    cookies.set(new URL(url).searchParams.get('state') ?? '', browser);
    return { url };
  }

  function finish(answer: ReturnType<typeof toCallback>): Promise<Connection> {
    return finishAuthorization(dependencies, { ...answer, browser: cookies.get(answer.state) });
  }

  /** Authorizes a connection as a person who consents does, from start to finish. */
  async function authorize(connectionId: string): Promise<Connection> {
    const { url } = await start(connectionId);
    return finish(toCallback(await giveConsent(url)));
  }

  async function listAudit(subjectId: string): Promise<string[]> {
    await chainAudit(database.system);
    return database
      .system('audit_events')
      .where({ subject_id: subjectId })
      .orderBy('seq')
      .pluck<string[]>('type');
  }

  return {
    ...services,
    database,
    databaseUrl: testDatabase.url,
    keys,
    workspaceId,
    createWorkspace,
    create,
    find,
    update,
    start,
    finish,
    authorize,
    listAudit,
    open: (connectionId: string) => services.connectionAccess.open({ workspaceId, connectionId }),
    stop: async () => {
      await services.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

export type ConnectionLab = Awaited<ReturnType<typeof startConnectionLab>>;

/** Returns the input that the callback route takes from the address a browser is redirected to. */
export function toCallback({ searchParams }: URL) {
  return {
    state: searchParams.get('state') ?? '',
    code: searchParams.get('code') ?? undefined,
    iss: searchParams.get('iss') ?? undefined,
  };
}

/** Starts a server that answers with the headers of the request. */
export async function startHeaderEcho(respond?: { status: number; headers: Record<string, string> }) {
  const seen: IncomingHttpHeaders[] = [];
  const server = await startHttpServer(({ headers }, response) => {
    seen.push(headers);
    response.writeHead(respond?.status ?? 200, respond?.headers ?? {}).end('{}');
  });
  return { url: server.url, seen, close: server.close };
}
