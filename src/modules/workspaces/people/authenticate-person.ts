import { findPersonOfToken, storePerson } from './people-repository.ts';
import { groupsSchema, meetOf, type KeyActor } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { isJsonObject, type JsonValue } from '../../../domain/json.ts';
import { isSamePerson } from '../../../domain/person.ts';
import { personNameSchema } from '../../../domain/person-name.ts';
import { roles as allRoles, toReachOfRoles, toScopesOfRoles, type Role } from '../../../domain/role.ts';
import { noteUse, toActor } from '../keys/authenticate-key.ts';
import type { Credential } from '../keys/credential-repository.ts';
import { createJwtVerifier, unauthorized, type VerifiedToken } from './verify-jwt.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/** Lets a person in by a token of an identity provider; `audience` replaces the one that its tokens have. */
export type AuthenticatePerson = (token: string, audience?: string) => Promise<KeyActor>;

/** The facts of a token that a person is stored with. */
interface SignedIn {
  workspaceId: string;
  issuer: string;
  subject: string;
  name: string;
  roles: Role[];
  groups: string[];
  /** When the token was issued, as ISO 8601. */
  rolesAt: string;
}

/**
 * Builds the sign-in of people by tokens of identity providers, which have the `audience` of their provider unless another is
 * given. A person is stored at the first sign-in, with the roles and groups of the newest token by its `iat`. A request has what
 * both its token and the newest one say.
 * @throws HoldfastError `UNAUTHORIZED` for a token that is not valid, for a person who was deactivated, and for a former name;
 * `FORBIDDEN` for one without a role or a workspace; `SERVICE_UNAVAILABLE`
 */
export function createPersonAuthenticator(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  providers: readonly IdentityProvider[],
): AuthenticatePerson {
  const verify = createJwtVerifier(providers);
  return async (token, audience) => {
    const verified = await verify(token, audience);
    const person = toSignedIn(verified);
    const scopes = toScopesOfRoles(person.roles);
    const known = await findPersonOfToken(database.lookUp, person);
    const isStored = known !== null && (known.problem !== null || isUpToDate(known, person));
    if (!isStored) await storePerson(database.system, { ...person, scopes });
    const found = isStored ? known : await findPersonOfToken(database.lookUp, person);
    if (!found) throw new HoldfastError('FORBIDDEN', 'The workspace of the token does not exist.');
    if (found.problem !== null) throw unauthorized('the person was deactivated');
    if (!isSamePerson(found.actsFor ?? '', person.name))
      throw unauthorized('a newer one has another name for the person');
    await noteUse(database, found);
    const said = { scopes, groups: person.groups, actsFor: person.name, reach: toReachOfRoles(person.roles) };
    return { ...meetOf(toActor(found, 'api'), said), expiresAt: toTime(verified.claims.exp) };
  };
}

/** Returns true when the row of a person needs no change: a newer token was shown before, or this one. */
function isUpToDate(known: Credential, person: SignedIn): boolean {
  const { rolesAt } = known;
  if (rolesAt === null || rolesAt < person.rolesAt) return false;
  return rolesAt > person.rolesAt || isSame(known, person);
}

function isSame(
  found: Pick<Credential, 'actsFor' | 'roles' | 'groups'>,
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
  if (provider.personClaim === 'email' && claims.email_verified !== true)
    throw unauthorized('its "email" is not verified by an "email_verified" that is true');
  const roles = toRoles(provider, listTexts(read(provider.rolesClaim)));
  if (roles.length === 0)
    throw new HoldfastError('FORBIDDEN', `The token names no role of Holdfast in "${provider.rolesClaim}".`);
  const groups = listTexts(read(provider.groupsClaim)).filter((one) => groupsSchema.safeParse([one]).success);
  return {
    ...{ workspaceId: findWorkspace(provider, read), issuer: provider.issuer, subject: claims.sub },
    ...{ name: name.data, roles, groups: [...new Set(groups)].sort().slice(0, mostGroups) },
    rolesAt: toTime(claims.iat),
  };
}

const mostGroups = 50;

/** @throws HoldfastError `UNAUTHORIZED` for a number that is no time */
function toTime(seconds = 0): string {
  const time = new Date(seconds * 1_000);
  if (Number.isNaN(time.getTime())) throw unauthorized('its times cannot be read');
  return time.toISOString();
}

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
