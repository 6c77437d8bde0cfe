import type { Rights } from '../../../domain/actor.ts';
import { rolesOfWorkspace, type Role } from '../../../domain/role.ts';
import type { Scope } from '../../../domain/scope.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** A key of a program, a token of a person that a key issued, or a person known to an identity provider. */
export type CredentialKind = 'key' | 'user_token' | 'person';

/**
 * The maximum number of links of a chain: a credential, the one that made it, the one that made that, and so on. A credential with more
 * is not usable, and none is made.
 */
export const mostLinks = 16;

/**
 * A credential as it is now. Scopes, groups, reach and the end are the least of all links of its chain, whatever the
 * credential was given.
 */
export interface Credential extends Rights {
  id: string;
  workspaceId: string;
  name: string;
  kind: CredentialKind;
  /** The credential that made it; null for one that the operator made, and for people. */
  makerId: string | null;
  secretHash: Buffer;
  /** The roles of a person, or those that a token was given. */
  roles: Role[];
  /** When the token of an identity provider was issued that said the roles; null for other credentials. ISO 8601. */
  rolesAt: string | null;
  /** The earliest end of a link, as ISO 8601; null when none has an end. */
  expiresAt: string | null;
  lastUsedAt: string | null;
  /** How many links the chain has. */
  links: number;
  /** Why it may not be used now, as the end of a sentence about it; null when it may. */
  problem: string | null;
}

/** A row of `api_keys` with what its chain leaves of it, as {@link nowOf} reads it. */
export interface CredentialRow {
  id: string;
  workspace_id: string;
  name: string;
  kind: CredentialKind;
  secret_hash: Buffer;
  roles: Role[];
  roles_at: Date | null;
  last_used_at: Date | null;
  conversations: string[] | null;
  maker: string | null;
  scopes_now: Scope[];
  groups_now: string[];
  acts_for_now: string | null;
  is_own: boolean;
  ends_at: Date | null;
  links: number;
  is_divided: boolean;
  ended: { id: string; kind: CredentialKind; revoked: string | null; expired: string } | null;
  missing: string | null;
}

/** An expression: the id of the credential that made a row of `api_keys`; null for one that the operator made, and for people. */
export function makerOf(key: string): string {
  return `coalesce(${key}.issued_by, (${key}.made_by ->> 'apiKeyId')::uuid)`;
}

/** The columns of a link, from a row of `api_keys`. */
const toLink = (
  key: string,
) => `${makerOf(key)} AS maker, ${key}.id, ${key}.workspace_id, ${key}.kind, ${key}.scopes,
      ${key}.groups, ${key}.acts_for, ${key}.expires_at, ${key}.revoked_at,
      CASE WHEN ${key}.kind = 'key' OR ${key}.conversations IS NOT NULL THEN ${key}.acts_for IS NOT NULL
        ELSE NOT ${key}.roles && '{${rolesOfWorkspace.join(',')}}' END AS is_own`;

/** The values of a list of the credential that all links of the chain have, in its order. */
const ofAllLinks = (
  list: string,
) => `ARRAY(SELECT one FROM unnest(k.${list}) WITH ORDINALITY AS own (one, place)
    WHERE NOT EXISTS (SELECT FROM chain WHERE own.one <> ALL (chain.${list})) ORDER BY place)`;

/**
 * A query for a LATERAL join with a row `k` of `api_keys`: what that credential may do now. It walks from the credential to its
 * maker, the maker of that one and so on, and keeps of scopes, groups, reach and time what all of them have. `is_usable` is
 * false when one of them was revoked, has expired or is missing, and when they act for several people. Only the credential
 * itself can be for some conversations: such a token makes no others.
 */
const nowOf = `WITH RECURSIVE chain AS (
    SELECT 1 AS link, ${toLink('k')}
    UNION ALL
    SELECT chain.link + 1, ${toLink('m')}
    FROM chain JOIN api_keys m ON m.id = chain.maker AND m.workspace_id = chain.workspace_id
    WHERE chain.link < ${mostLinks}
  ), least AS (
    SELECT count(*)::int AS links, (array_agg(maker ORDER BY link))[1] AS maker, bool_or(is_own) AS is_own, min(expires_at) AS ends_at,
      (array_agg(acts_for ORDER BY link) FILTER (WHERE acts_for IS NOT NULL))[1] AS acts_for_now,
      count(DISTINCT lower(normalize(trim(acts_for), NFKC))) > 1 AS is_divided,
      (array_agg(jsonb_build_object('id', id, 'kind', kind, 'revoked', revoked_at, 'expired', expires_at) ORDER BY link)
        FILTER (WHERE revoked_at IS NOT NULL OR expires_at <= now()))[1] AS ended,
      (array_agg(maker ORDER BY link DESC))[1] AS missing
    FROM chain
  )
  SELECT ${ofAllLinks('scopes')} AS scopes_now, ${ofAllLinks('groups')} AS groups_now, least.*,
    ended IS NULL AND missing IS NULL AND NOT is_divided AS is_usable
  FROM least`;

/** The columns and the joins of a statement that reads credentials from rows `k` of `api_keys`. */
export const credentialColumns = `k.id, k.workspace_id, k.name, k.kind, k.secret_hash, k.roles, k.roles_at, k.last_used_at,
  k.conversations, now_of.*`;
export const joinNow = `CROSS JOIN LATERAL (${nowOf}) AS now_of`;

/** Finds a credential by its id, in the workspace of the transaction or, with the look-up of a request, in any. */
export async function findCredential(query: Query, id: string): Promise<Credential | null> {
  const [found] = await listCredentials(query, [id]);
  return found ?? null;
}

/** Lists credentials by their ids, also those that are not usable. */
export async function listCredentials(query: Query, ids: readonly string[]): Promise<Credential[]> {
  return (await query(listByIds, { ids })).map(toCredential);
}

const listByIds = defineStatement<{ ids: readonly string[] }, CredentialRow>(
  'list_credentials',
  `SELECT ${credentialColumns} FROM api_keys k ${joinNow} WHERE k.id = ANY (:ids::uuid[])`,
);

export function toCredential(row: CredentialRow): Credential {
  const { conversations } = row;
  return {
    ...{
      id: row.id,
      workspaceId: row.workspace_id,
      name: row.name,
      kind: row.kind,
      roles: row.roles,
      makerId: row.maker,
    },
    ...{ secretHash: row.secret_hash, links: row.links, scopes: row.scopes_now, groups: row.groups_now },
    ...{ actsFor: row.acts_for_now, reach: row.is_own ? 'own' : 'workspace' },
    ...(conversations && { conversations }),
    rolesAt: row.roles_at?.toISOString() ?? null,
    expiresAt: row.ends_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    problem: findProblem(row),
  };
}

const nouns = { key: 'API key', user_token: 'user token', person: 'person' };

function findProblem({ id, ended, missing, is_divided: isDivided, links }: CredentialRow): string | null {
  if (ended) {
    const { revoked, expired } = ended;
    const how = revoked === null ? `expired at ${toTime(expired)}` : `was revoked at ${toTime(revoked)}`;
    return ended.id === id ? how : `was made by the ${nouns[ended.kind]} ${ended.id}, which ${how}`;
  }
  if (missing !== null)
    return links < mostLinks
      ? `was made by ${missing}, which is not there any more`
      : `is at the end of a chain of more than ${mostLinks} keys`;
  return isDivided ? 'acts for another person than the one that made it' : null;
}

function toTime(time: string): string {
  return new Date(time).toISOString();
}
