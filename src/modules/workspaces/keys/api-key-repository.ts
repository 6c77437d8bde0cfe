import type { Knex } from 'knex';
import type { ActorRef } from '../../../domain/actor.ts';
import type { ApiKey } from '../../../domain/api-key.ts';
import type { Scope } from '../../../domain/scope.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { makerOf, type CredentialKind } from './credential-repository.ts';

export interface ApiKeyRow {
  id: string;
  workspace_id: string;
  name: string;
  secret_hash: Buffer;
  scopes: Scope[];
  groups: string[];
  acts_for: string | null;
  kind: CredentialKind;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** A key before it is stored; of its secret only the hash is stored. */
interface NewApiKey {
  id: string;
  name: string;
  secretHash: Buffer;
  scopes: readonly Scope[];
  /** @default none */
  groups?: readonly string[];
  actsFor?: string | undefined;
  expiresAt?: string | undefined;
  madeBy?: ActorRef;
  /** Needed with the system database only. */
  workspaceId?: string;
}

/** A key as its row says, whatever its makers may do now. */
export interface StoredApiKey extends ApiKey {
  workspaceId: string;
  secretHash: Buffer;
  kind: CredentialKind;
}

/** API keys of one workspace, or of all workspaces with the system database. */
export function createApiKeyRepository(db: Knex) {
  return {
    createApiKey: async (key: NewApiKey): Promise<ApiKey> => {
      const [row] = await db('api_keys').insert(toNewRow(key)).returning<ApiKeyRow[]>('*');
      if (!row) throw new Error('an inserted API key did not come back');
      return toApiKey(row);
    },

    findApiKey: async (id: string): Promise<StoredApiKey | null> => {
      const row = await db<ApiKeyRow>('api_keys').where({ id }).first();
      return row ? toStoredApiKey(row) : null;
    },

    /** Counts the keys of one workspace that are valid now. None is created by another transaction until this one ends. */
    countUsable: async (): Promise<number> => {
      await db.raw(`SELECT pg_advisory_xact_lock(hashtextextended('api keys ' || current_workspace(), 0))`);
      const [counted] = await db<ApiKeyRow>('api_keys')
        .where({ kind: 'key', revoked_at: null })
        .whereRaw('(expires_at IS NULL OR expires_at > now())')
        .count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    /** Keeps a credential from being revoked until the transaction ends. */
    lockForShare: async (id: string): Promise<void> => {
      await db('api_keys').where({ id }).forShare().select('id');
    },

    /** Newest first. */
    listApiKeys: async ({ cursor, limit }: PageRequest): Promise<Page<ApiKey>> => {
      const query = db<ApiKeyRow>('api_keys').where({ kind: 'key' }).orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toApiKey);
    },

    /** Revokes a key; a key that is revoked already, for which `isNew` is false, keeps its date and who revoked it. */
    revokeApiKey: async (id: string, by?: ActorRef): Promise<{ apiKey: ApiKey; isNew: boolean } | null> => {
      const [row] = await db('api_keys')
        .where({ id, revoked_at: null })
        .update({ revoked_at: db.fn.now(), revoked_by: by ? toStorableJson(by) : null })
        .returning<ApiKeyRow[]>('*');
      if (row) {
        await revokeMade(db, [id], by);
        return { apiKey: toApiKey(row), isNew: true };
      }
      const earlier = await db<ApiKeyRow>('api_keys').where({ id }).first();
      return earlier ? { apiKey: toApiKey(earlier), isNew: false } : null;
    },

    /** Replaces the scopes of a key. */
    grantScopes: async (id: string, scopes: readonly Scope[]): Promise<void> => {
      await db('api_keys')
        .where({ id })
        .update({ scopes: [...scopes] });
    },

    /** Notes that a key was used, unless that was noted within the last minute. */
    touchApiKey: async (id: string): Promise<void> => {
      await db('api_keys')
        .where({ id })
        .whereRaw(`(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`)
        .update({ last_used_at: db.fn.now() });
    },
  };
}

/**
 * Revokes what credentials of one workspace have made, and what that has made. It is not usable without its makers anyway; this
 * shows so in lists, and keeps it from coming back with a person who is let in again. Reads all credentials of the workspace.
 */
export async function revokeMade(db: Knex, ids: readonly string[], by?: ActorRef): Promise<void> {
  await db.raw(
    `WITH RECURSIVE made AS (
       SELECT k.id FROM api_keys k WHERE ${makerOf('k')} = ANY (:ids::uuid[])
       UNION SELECT k.id FROM made JOIN api_keys k ON ${makerOf('k')} = made.id
     ) UPDATE api_keys SET revoked_at = now(), revoked_by = :by WHERE id IN (SELECT id FROM made) AND revoked_at IS NULL`,
    { ids: [...ids], by: by ? toStorableJson(by) : null },
  );
}

function toNewRow(key: NewApiKey) {
  return {
    id: key.id,
    name: key.name,
    secret_hash: key.secretHash,
    scopes: [...key.scopes],
    groups: [...(key.groups ?? [])],
    acts_for: key.actsFor ?? null,
    expires_at: key.expiresAt ?? null,
    made_by: key.madeBy ? toStorableJson(key.madeBy) : null,
    ...(key.workspaceId === undefined ? {} : { workspace_id: key.workspaceId }),
  };
}

function toStoredApiKey(row: ApiKeyRow): StoredApiKey {
  const { workspace_id: workspaceId, secret_hash: secretHash, kind } = row;
  return { ...toApiKey(row), workspaceId, secretHash, kind };
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    groups: row.groups,
    actsFor: row.acts_for,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
