import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createConnections } from '../../src/main/create-connections.ts';
import type { ConnectionParts } from '../../src/connections/connection-parts.ts';
import { connectDatabase } from '../../src/db/connect-database.ts';
import { createConnectionRepository } from '../../src/db/connections/connection-repository.ts';
import { connectionInputSchema, type Connection } from '../../src/domain/connection.ts';
import { newId } from '../../src/lib/ids.ts';
import { createKeyRing } from '../../src/secrets/key-ring.ts';
import { createTestDatabase } from './postgres.ts';
import { startHttpServer } from '../servers/http-server.ts';
import { consent } from '../servers/oauth-server.ts';

interface LabOptions {
  findProvider?: ConnectionParts['findProvider'];
}

/** The callback of an API that does not run: browsers are played. */
export const redirectUri = 'http://127.0.0.1:1/api/oauth/callback';

/** Connections over a database of their own, with keys of their own. */
export async function startConnectionLab({ findProvider = () => undefined }: LabOptions = {}) {
  const testDatabase = await createTestDatabase();
  const database = connectDatabase({ url: testDatabase.url });
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  const config = { allowLoopback: true };
  const room = createConnections({ config, database, keyRing: createKeyRing({ keys }), findProvider });
  const workspaceId = await createWorkspace();

  async function createWorkspace(): Promise<string> {
    const id = newId();
    await database.system('workspaces').insert({ id, name: 'test' });
    return id;
  }

  /** Makes a connection as the API would. */
  async function create(input: Record<string, unknown>): Promise<Connection> {
    const named = { name: `Connection ${newId()}`, provider: 'mcp', ...input };
    return room.connections.create(workspaceId, connectionInputSchema.parse(named), newId());
  }

  async function find(connectionId: string): Promise<Connection> {
    const found = await database.inWorkspace(workspaceId, (trx) =>
      createConnectionRepository(trx).findConnection(connectionId),
    );
    if (!found) throw new Error(`there is no connection ${connectionId}`);
    return found.connection;
  }

  /** Plays the whole dance of a person who consents. */
  async function authorize(connectionId: string): Promise<Connection> {
    const { url } = await room.connections.startAuthorization({ workspaceId, connectionId, redirectUri });
    return room.connections.finishAuthorization(toAnswer(await consent(url)));
  }

  async function listAudit(subjectId: string): Promise<string[]> {
    return database
      .system('audit_events')
      .where({ subject_id: subjectId })
      .orderBy('seq')
      .pluck<string[]>('type');
  }

  return {
    ...room,
    database,
    databaseUrl: testDatabase.url,
    keys,
    workspaceId,
    createWorkspace,
    create,
    find,
    authorize,
    listAudit,
    open: (connectionId: string) => room.connectionAccess.open({ workspaceId, connectionId }),
    stop: async () => {
      await room.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

export type ConnectionLab = Awaited<ReturnType<typeof startConnectionLab>>;

/** What the callback route makes of the address that a browser comes back to. */
export function toAnswer({ searchParams }: URL) {
  return {
    state: searchParams.get('state') ?? '',
    code: searchParams.get('code') ?? undefined,
    iss: searchParams.get('iss') ?? undefined,
    redirectUri,
  };
}

/** A server that answers with the headers that it was sent. */
export async function startEcho(respond?: { status: number; headers: Record<string, string> }) {
  const seen: IncomingHttpHeaders[] = [];
  const server = await startHttpServer(({ headers }, response) => {
    seen.push(headers);
    response.writeHead(respond?.status ?? 200, respond?.headers ?? {}).end('{}');
  });
  return { url: server.url, seen, close: server.close };
}
