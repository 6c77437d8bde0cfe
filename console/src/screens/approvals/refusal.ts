import type { Identity } from '../../api/scope.ts';
import type { PendingAction } from '../../api/types.ts';

/**
 * Says why this person may not decide about a call; null when they may, as far as the page knows: a session does not say which key it
 * acts for, so the API may refuse a decision besides.
 */
export function findRefusal(
  { kind, approvers, selfApproval, askedBy }: PendingAction,
  { groups, person }: Identity,
): string | null {
  if (kind !== 'approval') return null;
  const missing = approvers.find((names) => !names.some((name) => groups.includes(name)));
  if (missing) return `Only a person of ${missing.join(' or ')} may decide about this call.`;
  const tookPart = person !== null && askedBy.some(({ actingFor }) => isSame(actingFor, person));
  return !selfApproval && tookPart ? 'You took part in this turn: another person has to decide.' : null;
}

const isSame = (name: string | null, other: string) => name?.toLowerCase() === other.toLowerCase();
