import type { ActorRef } from './actor.ts';
import { HoldfastError } from './errors.ts';
import { isSamePerson } from './person.ts';

/** The people who may approve a call. */
export interface ApproverRules {
  /** Lists of groups: the approver has to be in one group of each. */
  approvers: string[][];
  /** Whether the people who asked for the call may decide themselves. */
  selfApproval: boolean;
}

/** The settings of a tool, or a policy, that say who approves its calls. */
export interface ApproverSettings {
  approvers?: string[] | undefined;
  selfApproval?: boolean | undefined;
}

/** The actor that decides about a call. */
export interface Approver extends ActorRef {
  groups: readonly string[];
}

/** Combines the settings that hold for a call, each of which may only be stricter than the others. */
export function toApproverRules(settings: (ApproverSettings | undefined)[]): ApproverRules {
  return {
    approvers: settings.flatMap((one) => (one?.approvers?.length ? [one.approvers] : [])),
    selfApproval: settings.every((one) => one?.selfApproval !== false),
  };
}

/**
 * Finds the reason why an approver may not decide; undefined when it may.
 * @param askedBy the actors that took part in the turn and those above it
 */
export function findApproverProblem(
  approver: Approver,
  { approvers, selfApproval }: ApproverRules,
  askedBy: readonly ActorRef[],
): HoldfastError | undefined {
  const missing = approvers.find((groups) => !groups.some((group) => approver.groups.includes(group)));
  if (missing) {
    const message = `Only an API key of the group ${missing.join(' or ')} may decide about this call.`;
    return new HoldfastError('NOT_AN_APPROVER', message, { details: { approvers } });
  }
  // Without a key the name of a person is not verified.
  const isKnown = approver.apiKeyId !== null && askedBy.length > 0;
  if (selfApproval || (isKnown && !askedBy.some((asker) => mayBeSame(asker, approver)))) return;
  const message =
    'Somebody else than the one who asked has to decide about this call. Name the people with "actingFor", ' +
    'here and where the turn is started, when one API key acts for several.';
  return new HoldfastError('SELF_APPROVAL_REFUSED', message);
}

/** People are compared by their names where both are known, and otherwise by their keys. */
function mayBeSame(asker: ActorRef, approver: ActorRef): boolean {
  if (asker.actingFor !== null && approver.actingFor !== null)
    return isSamePerson(asker.actingFor, approver.actingFor);
  const isKnown = asker.apiKeyId !== null && approver.apiKeyId !== null;
  return !isKnown || asker.apiKeyId === approver.apiKeyId;
}
