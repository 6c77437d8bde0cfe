import type { Knex } from 'knex';
import type { ActorRef } from '../../../domain/actor.ts';
import type { Role } from '../../../domain/role.ts';
import type { Scope } from '../../../domain/scope.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { Person } from './user-token.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { toStoredApiKey, type ApiKeyRow, type StoredApiKey } from '../keys/api-key-repository.ts';

/** Names a person at an identity provider. */
interface PersonRef {
  workspaceId: string;
  issuer: string;
  subject: string;
}

interface NewPerson extends PersonRef {
  name: string;
  roles: Role[];
  groups: string[];
  scopes: readonly Scope[];
}

/** Finds the person of a token, whose workspace is that of its provider. */
export async function findPersonOfToken(lookUp: Query, ref: PersonRef): Promise<StoredApiKey | null> {
  const { workspaceId, issuer, subject } = ref;
  const [row] = await lookUp(findPerson, { workspaceId, issuer, subject });
  return row ? toStoredApiKey(row) : null;
}

const findPerson = defineStatement<PersonRef, ApiKeyRow>(
  'find_person',
  `SELECT * FROM api_keys
   WHERE workspace_id = :workspaceId AND kind = 'person' AND issuer = :issuer AND subject = :subject`,
);

/** Stores what the token of a person says, and that the person was seen. Null when there is no such workspace. */
export async function storePerson(system: Knex, person: NewPerson): Promise<StoredApiKey | null> {
  const { workspaceId, name, issuer, subject, roles, groups, scopes } = person;
  const known = { acts_for: name, name, roles, groups, scopes: [...scopes], last_used_at: system.fn.now() };
  const identity = { workspace_id: workspaceId, kind: 'person', issuer, subject };
  const isThere = await system<{ id: string }>('workspaces')
    .where({ id: workspaceId })
    .whereNull('deleted_at')
    .first('id');
  if (!isThere) return null;
  const [row] = await system('api_keys')
    // No secret has an empty hash.
    .insert({ id: newId(), ...identity, ...known, secret_hash: Buffer.alloc(0) })
    .onConflict(system.raw(`(workspace_id, issuer, subject) WHERE kind = 'person'`))
    .merge(known)
    .returning<ApiKeyRow[]>('*');
  return row ? toStoredApiKey(row) : null;
}

/** The people of one workspace. */
export function createPeopleRepository(trx: Knex) {
  return {
    /** Newest first. */
    listPeople: async ({ cursor, limit }: PageRequest): Promise<Page<Person>> => {
      const query = trx<PersonRow>('api_keys').where({ kind: 'person' }).orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toPerson);
    },

    findPerson: async (id: string): Promise<Person | null> => {
      const row = await trx<PersonRow>('api_keys').where({ id, kind: 'person' }).first();
      return row ? toPerson(row) : null;
    },

    /** Deactivates a person, or lets the person in again. Null when there is none. */
    setActive: async (id: string, isActive: boolean, by: ActorRef): Promise<Person | null> => {
      const ended = { revoked_at: trx.raw('coalesce(revoked_at, now())'), revoked_by: toStorableJson(by) };
      const [row] = await trx('api_keys')
        .where({ id, kind: 'person' })
        .update(isActive ? { revoked_at: null, revoked_by: null } : ended)
        .returning<PersonRow[]>('*');
      // Tokens and keys that the person has made would let the person in again.
      const made = trx('api_keys').where({ revoked_at: null }).whereNot({ kind: 'person' });
      if (row && !isActive)
        await made.whereRaw(`(issued_by = :id OR made_by ->> 'apiKeyId' = :id)`, { id }).update(ended);
      return row ? toPerson(row) : null;
    },
  };
}

interface PersonRow extends ApiKeyRow {
  issuer: string;
  subject: string;
}

function toPerson(row: PersonRow): Person {
  return {
    ...{ id: row.id, name: row.name, issuer: row.issuer, subject: row.subject },
    ...{ roles: row.roles, groups: row.groups, createdAt: row.created_at.toISOString() },
    lastSeenAt: row.last_used_at?.toISOString() ?? null,
    deactivatedAt: row.revoked_at?.toISOString() ?? null,
  };
}
