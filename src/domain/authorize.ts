import type { Actor, Viewer } from './actor.ts';
import { HoldfastError } from './errors.ts';
import { actsForOther } from './person.ts';
import { rights, type Right } from './rights.ts';
import type { Scope } from './scope.ts';

/** What is asked of an actor for a right. */
type Holder = Pick<Actor, 'scopes'> & Partial<Pick<Actor, 'conversations'>>;

/** The rights that an actor for some conversations alone may have; the other ones reach beyond them. */
const insideConversations: ReadonlySet<Right> = new Set<Right>([
  ...(['conversations.read', 'turns.start', 'turns.control', 'files.read', 'files.write'] as const),
  ...(['actions.read', 'actions.answer', 'actions.decide', 'actions.settle'] as const),
  ...(['sessions.own', 'changes.read'] as const),
]);

/** Lists the scopes that an actor lacks for a right; of several of which it needs one, all of them. */
export function listMissingScopes({ scopes, conversations }: Holder, right: Right): Scope[] {
  if (reachesBeyond(conversations, right)) return [...rights[right].scopes];
  const rule = rights[right];
  const missing = rule.scopes.filter((scope) => !scopes.includes(scope));
  return 'any' in rule && missing.length < rule.scopes.length ? [] : missing;
}

function reachesBeyond(conversations: readonly string[] | undefined, right: Right): boolean {
  return conversations !== undefined && !insideConversations.has(right);
}

/** Returns true when an actor has a right. */
export function mayDo(actor: Holder, right: Right): boolean {
  return listMissingScopes(actor, right).length === 0;
}

/**
 * Refuses an actor that lacks a right.
 * @param purpose what needs the right, for the message when the request does not say it
 * @throws HoldfastError `FORBIDDEN` with `details.missingScopes`
 */
export function authorize(actor: Holder, right: Right, purpose?: string): void {
  if (reachesBeyond(actor.conversations, right))
    throw new HoldfastError(
      'FORBIDDEN',
      'The token is for its conversations alone, and this reaches beyond them.',
    );
  const missing = listMissingScopes(actor, right);
  if (missing.length === 0) return;
  throw createScopeRefusal(missing, { isAny: 'any' in rights[right], purpose });
}

/**
 * Refuses a viewer that lacks a right; the program itself, which names a workspace alone, has all.
 * @throws HoldfastError `FORBIDDEN` with `details.missingScopes`
 */
export function authorizeViewer({ scopes, conversations }: Viewer, right: Right): void {
  if (scopes) authorize({ scopes, ...(conversations && { conversations }) }, right);
}

/**
 * Refuses an actor for one person alone that would control the turn of another person, or a turn without a person. An actor
 * whose role sees the whole workspace may control all turns.
 * @throws HoldfastError `FORBIDDEN`, without the name of the other person
 */
export function refuseOtherPerson(
  { actsFor, reach }: Pick<Actor, 'actsFor'> & Partial<Pick<Actor, 'reach'>>,
  person: string | null,
): void {
  if (reach === 'workspace' || !actsForOther(actsFor, person)) return;
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
