import { describe, expect, it } from 'vitest';
import { apiKeyInputSchema } from '../../src/domain/api-key.ts';
import { checkInput } from '../../src/domain/check-input.ts';
import { findNearestName } from '../../src/domain/nearest-name.ts';
import { scopes } from '../../src/domain/scope.ts';
import { userTokenInputSchema } from '../../src/modules/workspaces/people/user-token.ts';

describe('the nearest name', () => {
  it.for([
    ['agent:read', 'agents:read'],
    ['AGENTS:WRITE', 'agents:write'],
    ['apikeys:write', 'api_keys:write'],
    ['everything', undefined],
    ['x'.repeat(10_000), undefined],
  ] as const)('of %s is %s', ([name, nearest]) => {
    expect(findNearestName(name, scopes)).toBe(nearest);
  });
});

describe('an input with a wrong name', () => {
  it.for([
    ['agent:read', 'there is no scope "agent:read". Did you mean "agents:read"? '],
    ['everything', 'there is no scope "everything". '],
  ] as const)('of a scope, %s, is answered with the right one and the list', ([scope, message]) => {
    expect(checkInput(apiKeyInputSchema, { name: 'a', scopes: [scope] })).toEqual({
      success: false,
      errors: [
        { field: 'scopes.0', message: `${message}"holdfast api-keys create --help" lists all of them.` },
      ],
    });
  });

  it('of a role too', () => {
    expect(checkInput(userTokenInputSchema, { person: 'Ann', roles: ['editer'] })).toMatchObject({
      errors: [{ field: 'roles.0', message: expect.stringContaining('Did you mean "editor"?') as string }],
    });
  });
});
