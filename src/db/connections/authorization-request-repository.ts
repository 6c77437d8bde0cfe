import type { Knex } from 'knex';

interface AuthorizationRequestRow {
  state_hash: Buffer;
  workspace_id: string;
  connection_id: string;
  sealed: Buffer;
  key_id: string;
  expires_at: Date;
}

/** An authorization that a browser is busy with. */
export interface AuthorizationRequest {
  stateHash: Buffer;
  workspaceId: string;
  connectionId: string;
  sealed: Buffer;
  expiresAt: Date;
}

export interface NewAuthorizationRequest {
  stateHash: Buffer;
  connectionId: string;
  sealed: Buffer;
  keyId: string;
  expiresAt: Date;
}

export type AuthorizationRequestRepository = ReturnType<typeof createAuthorizationRequestRepository>;

/** Authorizations under way, of one workspace, or with the system database of all of them. */
export function createAuthorizationRequestRepository(db: Knex) {
  const rows = () => db<AuthorizationRequestRow>('authorization_requests');
  return {
    /** Stores one, and lets go of those whose time is over. */
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

    /** Takes one away: whoever gets it is the only one. */
    take: async (stateHash: Buffer): Promise<AuthorizationRequest | null> => {
      const [row] = await rows().where({ state_hash: stateHash }).delete().returning('*');
      return row ? toAuthorizationRequest(row) : null;
    },

    /** Makes all authorizations of a connection void. */
    deleteOf: async (connectionId: string): Promise<void> => {
      await rows().where({ connection_id: connectionId }).delete();
    },
  };
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
