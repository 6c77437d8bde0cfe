import type { Knex } from 'knex';
import type { ActorRef } from '../../../domain/actor.ts';
import type { ApiKey } from '../../../domain/api-key.ts';
import type { Role } from '../../../domain/role.ts';
import type { Scope } from '../../../domain/scope.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { isUsable } from './usable-key.ts';

export interface ApiKeyRow {
  id: string;
  workspace_id: string;
  name: string;
  secret_hash: Buffer;
  scopes: Scope[];
  groups: string[];
  acts_for: string | null;
  kind: CredentialKind;
  roles: Role[];
  issued_by: string | null;
  conversations: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** A key of a program, a token of a person that a key issued, or a person known to an identity provider. */
export type CredentialKind = 'key' | 'user_token' | 'person';

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

/** A key with the fields that authentication checks. */
export interface StoredApiKey extends ApiKey {
  workspaceId: string;
  secretHash: Buffer;
  kind: CredentialKind;
  roles: Role[];
  /** The key that issued a user token. */
  issuedBy: string | null;
  /** The only conversations of a user token; null for all that its person sees. */
  conversations: string[] | null;
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
      const [counted] = await usableKeys(db).where({ kind: 'key' }).count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    /** Reads a key that is not revoked until the transaction ends. */
    findForShare: async (id: string): Promise<StoredApiKey | null> => {
      const row = await db<ApiKeyRow>('api_keys').where({ id }).forShare().first();
      return row ? toStoredApiKey(row) : null;
    },

    /** Lists those of the ids that no key has which is valid now. */
    listUnusableIds: async (ids: string[]): Promise<string[]> => {
      const usable = await usableKeys(db).whereIn('id', ids).pluck<string[]>('id');
      return ids.filter((id) => !usable.includes(id));
    },

    /** Newest first. */
    listApiKeys: async ({ cursor, limit }: PageRequest): Promise<Page<ApiKey>> => {
      const query = db<ApiKeyRow>('api_keys').where({ kind: 'key' }).orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toApiKey);
    },

    /** Revokes a key; a key that is revoked already, for which `isNew` is false, keeps its date and who revoked it. */
    revokeApiKey: async (id: string, by?: ActorRef): Promise<{ apiKey: ApiKey; isNew: boolean } | null> => {
      const change = { revoked_at: db.fn.now(), revoked_by: by ? toStorableJson(by) : null };
      const [row] = await db('api_keys')
        .where({ id, revoked_at: null })
        .update(change)
        .returning<ApiKeyRow[]>('*');
      if (row) {
        // The tokens of a key end with it.
        await db('api_keys').where({ issued_by: id, revoked_at: null }).update(change);
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

function usableKeys(db: Knex) {
  return db<ApiKeyRow>('api_keys').whereRaw(isUsable('api_keys'));
}

/** Finds the key of a request, whose workspace is not known yet. */
export async function findKeyOfRequest(lookUp: Query, id: string): Promise<StoredApiKey | null> {
  const [row] = await lookUp(findKey, { id });
  return row ? toStoredApiKey(row) : null;
}

const findKey = defineStatement<{ id: string }, ApiKeyRow>(
  'find_api_key',
  'SELECT * FROM api_keys WHERE id = :id',
);

/** Lists keys of a workspace by their ids, also those that were revoked or have expired. */
export async function listKeysOfMakers(
  query: Query,
  values: { workspaceId: string; ids: readonly string[] },
): Promise<StoredApiKey[]> {
  return (await query(listKeys, values)).map(toStoredApiKey);
}

const listKeys = defineStatement<{ workspaceId: string; ids: readonly string[] }, ApiKeyRow>(
  'list_api_keys_of_makers',
  'SELECT * FROM api_keys WHERE id = ANY(:ids::uuid[]) AND workspace_id = :workspaceId',
);

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

export function toStoredApiKey(row: ApiKeyRow): StoredApiKey {
  const { workspace_id: workspaceId, secret_hash: secretHash, kind, roles, issued_by: issuedBy } = row;
  return {
    ...toApiKey(row),
    workspaceId,
    secretHash,
    kind,
    roles,
    issuedBy,
    conversations: row.conversations,
  };
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
