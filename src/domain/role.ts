import { scopes, type Scope } from './scope.ts';

/** The roles of people, from the least to the most. */
export const roles = ['viewer', 'editor', 'approver', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

const viewer: readonly Scope[] = [
  ...(['conversations:read', 'agents:read', 'knowledge:read', 'skills:read'] as const),
  ...(['resources:read', 'inbox:read'] as const),
  ...(['routines:read', 'swarms:read', 'replays:read', 'analytics:read'] as const),
];
const editor: readonly Scope[] = [...viewer, 'conversations:write', 'resources:write', 'inbox:write'];
const approver: readonly Scope[] = [...viewer, 'approvals:decide'];

/** Payloads are those of all workspaces, so that no role reads them. */
const admin = scopes.filter((scope) => scope !== 'payloads:read');
const onlyAdmins: readonly Scope[] = ['api_keys:write', 'user_tokens:write', 'approvals:decide'];

/** The scopes of each role. An operator runs the workspace, and neither decides about calls nor makes keys. */
const scopesOfRoles: Record<Role, readonly Scope[]> = {
  ...{ viewer, editor, approver, admin },
  operator: admin.filter((scope) => !onlyAdmins.includes(scope)),
};

/** The roles that see the rows of all people. */
export const rolesOfWorkspace: readonly Role[] = ['operator', 'admin'];

/** Returns the scopes that a person with several roles has. */
export function toScopesOfRoles(held: readonly Role[]): Scope[] {
  return scopes.filter((scope) => held.some((role) => scopesOfRoles[role].includes(scope)));
}

/** Returns what a person with these roles sees. */
export function toReachOfRoles(held: readonly Role[]): 'workspace' | 'own' {
  return held.some((role) => rolesOfWorkspace.includes(role)) ? 'workspace' : 'own';
}
