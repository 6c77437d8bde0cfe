import type { Knex } from 'knex';

interface AuthorizationRequestRow {
  state_hash: Buffer;
  workspace_id: string;
  connection_id: string;
  sealed: Buffer;
  key_id: string;
  expires_at: Date;
}

/** An authorization that waits for the redirect of the browser. */
export interface AuthorizationRequest {
  stateHash: Buffer;
  workspaceId: string;
  connectionId: string;
  sealed: Buffer;
  expiresAt: Date;
}

/** A pending authorization, with what a person is shown of it. */
export interface NamedAuthorizationRequest extends AuthorizationRequest {
  connectionName: string;
  workspaceName: string;
  provider: string;
  endpoint: string | null;
}

/** A pending authorization before it is stored. */
interface NewAuthorizationRequest {
  stateHash: Buffer;
  connectionId: string;
  sealed: Buffer;
  keyId: string;
  expiresAt: Date;
}

export type AuthorizationRequestRepository = ReturnType<typeof createAuthorizationRequestRepository>;

/** Pending authorizations of one workspace, or of all workspaces with the system database. */
export function createAuthorizationRequestRepository(db: Knex) {
  const rows = () => db<AuthorizationRequestRow>('authorization_requests');
  return {
    /** Stores a pending authorization, and deletes those that have expired. */
    create: async (request: NewAuthorizationRequest): Promise<void> => {
      await rows().where('expires_at', '<', db.fn.now()).delete();
      await db('authorization_requests').insert({
        state_hash: request.stateHash,
        connection_id: request.connectionId,
        sealed: request.sealed,
        key_id: request.keyId,
        expires_at: request.expiresAt,
      });
    },

    /** Finds a pending authorization, and leaves it as it is. */
    find: (stateHash: Buffer): Promise<NamedAuthorizationRequest | null> => findNamed(db, stateHash),

    /** Deletes a pending authorization and returns it, so that only one caller gets it. */
    take: async (stateHash: Buffer): Promise<AuthorizationRequest | null> => {
      const [row] = await rows().where({ state_hash: stateHash }).delete().returning('*');
      return row ? toAuthorizationRequest(row) : null;
    },

    /** Deletes all pending authorizations of a connection. */
    deleteOf: async (connectionId: string): Promise<void> => {
      await rows().where({ connection_id: connectionId }).delete();
    },
  };
}

interface NamedRow extends AuthorizationRequestRow {
  connection_name: string;
  workspace_name: string;
  provider: string;
  endpoint: string | null;
}

async function findNamed(db: Knex, stateHash: Buffer): Promise<NamedAuthorizationRequest | null> {
  const row = await db('authorization_requests as r')
    .join('connections as c', 'c.id', 'r.connection_id')
    .join('workspaces as w', 'w.id', 'r.workspace_id')
    .where('r.state_hash', stateHash)
    .first<NamedRow | undefined>(
      'r.*',
      'c.name as connection_name',
      'c.provider',
      'c.endpoint',
      'w.name as workspace_name',
    );
  if (!row) return null;
  const { connection_name: connectionName, workspace_name: workspaceName, provider, endpoint } = row;
  return { ...toAuthorizationRequest(row), connectionName, workspaceName, provider, endpoint };
}

function toAuthorizationRequest(row: AuthorizationRequestRow): AuthorizationRequest {
  return {
    stateHash: row.state_hash,
    workspaceId: row.workspace_id,
    connectionId: row.connection_id,
    sealed: row.sealed,
    expiresAt: row.expires_at,
  };
}
