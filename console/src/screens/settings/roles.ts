import type { Scope } from '../../api/scope.ts';
import type { roleTexts } from './scope-texts.ts';

/** A role of a person. */
export type Role = (typeof roleTexts)[number]['value'];

const viewer: readonly Scope[] = [
  ...(['conversations:read', 'agents:read', 'knowledge:read', 'skills:read', 'resources:read'] as const),
  ...(['inbox:read', 'routines:read', 'swarms:read', 'replays:read', 'analytics:read'] as const),
];

/** The scopes that only an admin has, and those that nobody has by a role. */
const notOfOperators: readonly Scope[] = ['api_keys:write', 'user_tokens:write', 'approvals:decide'];
const ofNoRole: readonly Scope[] = ['payloads:read'];

/** Returns true when people with a role have a scope. */
export function hasScope(role: Role, scope: Scope): boolean {
  if (ofNoRole.includes(scope)) return false;
  if (role === 'admin') return true;
  if (role === 'operator') return !notOfOperators.includes(scope);
  if (viewer.includes(scope)) return true;
  return role !== 'viewer' && more[role].includes(scope);
}

/** What a role has besides the scopes of a viewer. */
const more: Readonly<Record<'editor' | 'approver', readonly Scope[]>> = {
  editor: ['conversations:write', 'resources:write', 'inbox:write'],
  approver: ['approvals:decide'],
};
