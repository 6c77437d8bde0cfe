import type { Knex } from 'knex';
import type { ActorRef } from '../../../domain/actor.ts';
import type { Role } from '../../../domain/role.ts';
import type { Scope } from '../../../domain/scope.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { Person } from './user-token.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { revokeMade, type ApiKeyRow } from '../keys/api-key-repository.ts';
import {
  credentialColumns,
  joinNow,
  toCredential,
  type Credential,
  type CredentialRow,
} from '../keys/credential-repository.ts';

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
  /** When the token was issued, as ISO 8601. */
  rolesAt: string;
}

/** Finds the person of a token, whose workspace is that of its provider. */
export async function findPersonOfToken(lookUp: Query, ref: PersonRef): Promise<Credential | null> {
  const { workspaceId, issuer, subject } = ref;
  const [row] = await lookUp(findPerson, { workspaceId, issuer, subject });
  return row ? toCredential(row) : null;
}

const findPerson = defineStatement<PersonRef, CredentialRow>(
  'find_person',
  `SELECT ${credentialColumns} FROM api_keys k ${joinNow}
   WHERE k.workspace_id = :workspaceId AND k.kind = 'person' AND k.issuer = :issuer AND k.subject = :subject`,
);

/**
 * Stores what the token of a person says, and that the person was seen, unless a newer token has said otherwise. Stores
 * nothing when there is no such workspace.
 */
export async function storePerson(system: Knex, person: NewPerson): Promise<void> {
  const { workspaceId, name, issuer, subject, roles, groups, scopes, rolesAt } = person;
  const said = { acts_for: name, name, roles, groups, scopes: [...scopes], roles_at: rolesAt };
  const known = { ...said, last_used_at: system.fn.now() };
  const identity = { workspace_id: workspaceId, kind: 'person', issuer, subject };
  const isThere = await system<{ id: string }>('workspaces')
    .where({ id: workspaceId })
    .whereNull('deleted_at')
    .first('id');
  if (!isThere) return;
  await system('api_keys')
    // No secret has an empty hash.
    .insert({ id: newId(), ...identity, ...known, secret_hash: Buffer.alloc(0) })
    .onConflict(system.raw(`(workspace_id, issuer, subject) WHERE kind = 'person'`))
    .merge(known)
    .whereRaw('(api_keys.roles_at IS NULL OR api_keys.roles_at <= excluded.roles_at)');
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
      // A person who is let in again makes new tokens and keys.
      if (row && !isActive) await revokeMade(trx, [id], by);
      return row ? toPerson(row) : null;
    },
  };
}

interface PersonRow extends ApiKeyRow {
  roles: Role[];
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
