import { findPersonOfToken, storePerson } from './people-repository.ts';
import type { KeyActor } from '../../../domain/actor.ts';
import { groupsSchema } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { isJsonObject, type JsonValue } from '../../../domain/json.ts';
import { personNameSchema } from '../../../domain/person-name.ts';
import { roles as allRoles, toScopesOfRoles, type Role } from '../../../domain/role.ts';
import { toActor } from '../keys/authenticate-key.ts';
import { createJwtVerifier, unauthorized, type VerifiedToken } from './verify-jwt.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/** When a person was last seen is written at most once in this time, in milliseconds. */
const lastSeenAccuracyMs = 60_000;

/** Lets a person in by a token of an identity provider; `audience` replaces the one that its tokens have. */
export type AuthenticatePerson = (token: string, audience?: string) => Promise<KeyActor>;

/** The facts of a token that a person is stored with. */
export interface SignedIn {
  workspaceId: string;
  issuer: string;
  subject: string;
  name: string;
  roles: Role[];
  groups: string[];
}

/**
 * Builds the sign-in of people by tokens of identity providers, which have the `audience` of their provider unless another is
 * given. A person is stored at the first sign-in, and has the roles and groups of the present token.
 * @throws HoldfastError `UNAUTHORIZED` for a token that is not valid and for a person who was deactivated; `FORBIDDEN` for
 * one without a role or a workspace; `SERVICE_UNAVAILABLE`
 */
export function createPersonAuthenticator(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  providers: readonly IdentityProvider[],
): AuthenticatePerson {
  const verify = createJwtVerifier(providers);
  return async (token, audience) => {
    const person = toSignedIn(await verify(token, audience));
    const scopes = toScopesOfRoles(person.roles);
    const found = await findPersonOfToken(database.lookUp, person);
    if (found?.revokedAt) throw unauthorized('the person was deactivated');
    const isFresh =
      found?.lastUsedAt &&
      Date.now() - Date.parse(found.lastUsedAt) < lastSeenAccuracyMs &&
      isSame(found, person);
    if (isFresh) return toActor({ ...found, scopes }, 'api');
    const stored = await storePerson(database.system, { ...person, scopes });
    if (!stored) throw new HoldfastError('FORBIDDEN', 'The workspace of the token does not exist.');
    if (stored.revokedAt) throw unauthorized('the person was deactivated');
    return toActor(stored, 'api');
  };
}

function isSame(
  found: { actsFor: string | null; roles: readonly string[]; groups: readonly string[] },
  { name, roles, groups }: SignedIn,
): boolean {
  const isEqual = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((value, index) => value === other[index]);
  return found.actsFor === name && isEqual(found.roles, roles) && isEqual(found.groups, groups);
}

function toSignedIn({ provider, claims }: VerifiedToken): SignedIn {
  const read = (name: string) => readClaim(claims as Record<string, JsonValue>, name);
  const name = personNameSchema.safeParse(read(provider.personClaim));
  if (!name.success) throw unauthorized(`it names no person in "${provider.personClaim}"`);
  if (provider.personClaim === 'email' && claims.email_verified === false)
    throw unauthorized('its "email" is not verified');
  const roles = toRoles(provider, listTexts(read(provider.rolesClaim)));
  if (roles.length === 0)
    throw new HoldfastError('FORBIDDEN', `The token names no role of Holdfast in "${provider.rolesClaim}".`);
  const groups = listTexts(read(provider.groupsClaim)).filter((one) => groupsSchema.safeParse([one]).success);
  return {
    ...{ workspaceId: findWorkspace(provider, read), issuer: provider.issuer, subject: claims.sub },
    ...{ name: name.data, roles, groups: [...new Set(groups)].sort().slice(0, mostGroups) },
  };
}

const mostGroups = 50;

function findWorkspace(
  { workspace, workspaces }: IdentityProvider,
  read: (name: string) => JsonValue | undefined,
): string {
  if (workspace !== undefined) return workspace;
  const value = workspaces && read(workspaces.claim);
  const found =
    typeof value === 'string' && Object.hasOwn(workspaces?.of ?? {}, value)
      ? workspaces?.of[value]
      : undefined;
  if (found !== undefined) return found;
  throw new HoldfastError('FORBIDDEN', `The token names no workspace in "${workspaces?.claim ?? ''}".`);
}

/** Reads a claim by its name, or else by the path of its names. */
function readClaim(claims: Record<string, JsonValue>, name: string): JsonValue | undefined {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<JsonValue | undefined>(
      (value, part) => (isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}

function listTexts(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : [];
  return list.filter((one) => typeof one === 'string');
}

function toRoles({ roles: named, defaultRoles }: IdentityProvider, values: string[]): Role[] {
  const found = values.flatMap((value) => {
    if (named) return Object.hasOwn(named, value) ? (named[value] ?? []) : [];
    return allRoles.filter((role) => role === value);
  });
  const held = found.length === 0 ? defaultRoles : found;
  return allRoles.filter((role) => held.includes(role));
}
