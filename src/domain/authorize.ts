import type { Actor } from './actor.ts';
import { HoldfastError } from './errors.ts';
import { actsForOther } from './person.ts';
import { rights, type Right } from './rights.ts';
import type { Scope } from './scope.ts';

/** Lists the scopes that an actor lacks for a right; of several of which it needs one, all of them. */
export function listMissingScopes({ scopes }: Pick<Actor, 'scopes'>, right: Right): Scope[] {
  const rule = rights[right];
  const missing = rule.scopes.filter((scope) => !scopes.includes(scope));
  return 'any' in rule && missing.length < rule.scopes.length ? [] : missing;
}

/** Returns true when an actor has a right. */
export function mayDo(actor: Pick<Actor, 'scopes'>, right: Right): boolean {
  return listMissingScopes(actor, right).length === 0;
}

/**
 * Refuses an actor that lacks a right.
 * @param purpose what needs the right, for the message when the request does not say it
 * @throws HoldfastError `FORBIDDEN` with `details.missingScopes`
 */
export function authorize(actor: Pick<Actor, 'scopes'>, right: Right, purpose?: string): void {
  const missing = listMissingScopes(actor, right);
  if (missing.length === 0) return;
  throw createScopeRefusal(missing, { isAny: 'any' in rights[right], purpose });
}

/**
 * Refuses an actor for one person alone that would control the turn of another person, or of nobody.
 * @throws HoldfastError `FORBIDDEN`, without the name of the other person
 */
export function refuseOtherPerson({ actsFor }: Pick<Actor, 'actsFor'>, person: string | null): void {
  if (!actsForOther(actsFor, person)) return;
  throw new HoldfastError('FORBIDDEN', `The API key acts for ${actsFor} only, and the turn does not.`);
}

/** Creates the error `FORBIDDEN` for a key without all, or with `isAny` without one, of several scopes. */
function createScopeRefusal(
  missingScopes: readonly Scope[],
  { isAny, purpose }: { isAny: boolean; purpose?: string | undefined },
): HoldfastError {
  const named = `${isAny || missingScopes.length === 1 ? 'scope' : 'scopes'} ${missingScopes.join(isAny ? ' or ' : ' and ')}`;
  const reason = purpose === undefined ? '' : `, which ${purpose} needs`;
  return new HoldfastError('FORBIDDEN', `The API key lacks the ${named}${reason}.`, {
    details: { missingScopes: [...missingScopes] },
  });
}
