import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../../console/src/api/types.ts';
import { mayRevoke } from '../../../../console/src/screens/settings/may-revoke.ts';
import { hasScope } from '../../../../console/src/screens/settings/roles.ts';
import { roleTexts, scopeGroups } from '../../../../console/src/screens/settings/scope-texts.ts';
import { roles, toScopesOfRoles } from '../../../../src/domain/role.ts';
import { scopes } from '../../../../src/domain/scope.ts';

describe('the roles of the settings', () => {
  test('are those of the API, with the same scopes', () => {
    expect(roleTexts.map(({ value }) => value)).toEqual(roles);
    for (const role of roles)
      expect(
        scopes.filter((scope) => hasScope(role, scope)),
        role,
      ).toEqual(toScopesOfRoles([role]));
  });

  test('stand beside every scope of the API once', () => {
    const listed = scopeGroups.flatMap((group) => group.scopes.map(({ value }) => value));
    expect(listed.toSorted()).toEqual(scopes.toSorted());
  });
});

describe('a key', () => {
  const key: ApiKey = {
    ...{ id: '1', name: 'website', scopes: ['agents:read'], groups: [], actsFor: null },
    ...{ createdAt: '2026-01-01T00:00:00Z', expiresAt: null, lastUsedAt: null, revokedAt: null },
  };

  test('may be revoked by a person who has as much', () => {
    const you: Parameters<typeof mayRevoke>[0] = {
      ...{ scopes: ['agents:read', 'api_keys:write'], groups: ['finance'], person: null },
    };
    expect(mayRevoke(you, key)).toBe(true);
    expect(mayRevoke(you, { ...key, groups: ['finance'], actsFor: 'ada' })).toBe(true);
    expect(mayRevoke(you, { ...key, scopes: ['agents:write'] })).toBe(false);
    expect(mayRevoke(you, { ...key, groups: ['legal'] })).toBe(false);
    expect(mayRevoke({ ...you, person: 'ada' }, key)).toBe(false);
    expect(mayRevoke({ ...you, person: 'ada' }, { ...key, actsFor: 'ada' })).toBe(true);
  });
});
