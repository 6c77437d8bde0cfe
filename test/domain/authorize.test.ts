import { describe, expect, it } from 'vitest';
import { authorize, mayDo } from '../../src/domain/authorize.ts';
import { createKeylessActor } from '../../src/domain/actor.ts';
import { rights, type Right } from '../../src/domain/rights.ts';
import { scopes } from '../../src/domain/scope.ts';
import { newId } from '../../src/platform/lib/ids.ts';

const names = Object.keys(rights) as Right[];

describe('authorize', () => {
  it.each(names)(
    'allows %s with its scopes, and without one of them only when one of several is enough',
    (right) => {
      const rule = rights[right];
      expect(mayDo({ scopes: rule.scopes }, right)).toBe(true);
      expect(
        mayDo(
          { scopes: scopes.filter((scope) => !(rule.scopes as readonly string[]).includes(scope)) },
          right,
        ),
      ).toBe(false);
      for (const missing of rule.scopes) {
        const rest = scopes.filter((scope) => scope !== missing);
        expect(mayDo({ scopes: rest }, right)).toBe('any' in rule);
      }
    },
  );

  it('knows a right for every scope', () => {
    const used = new Set<string>(names.flatMap((right) => rights[right].scopes));
    expect(scopes.filter((scope) => !used.has(scope))).toEqual([]);
  });

  it.each<[Right, purpose: string | undefined, message: string]>([
    ['actions.decide', undefined, 'The API key lacks the scope approvals:decide.'],
    ['connections.use', undefined, 'The API key lacks the scope connections:write or agents:write.'],
    ['turns.fork', undefined, 'The API key lacks the scopes conversations:read and conversations:write.'],
    [
      'routines.run',
      'a trigger of a routine',
      'The API key lacks the scope routines:write, which a trigger of a routine needs.',
    ],
  ])('names what is missing for %s', (right, purpose, message) => {
    expect(() => authorize({ scopes: ['inbox:read'] }, right, purpose)).toThrow(
      expect.objectContaining({
        code: 'FORBIDDEN',
        message,
        details: { missingScopes: rights[right].scopes },
      }),
    );
  });

  it('gives every right to an operator', () => {
    expect(names.filter((right) => !mayDo(createKeylessActor(newId(), 'temporal'), right))).toEqual([]);
  });
});
