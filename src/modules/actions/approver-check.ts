import type { ActionRow } from './action-rows.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { findApproverProblem, type Approver } from '../../domain/approver.ts';

/** Returns who decides. @throws HoldfastError `NOT_AN_APPROVER`, `SELF_APPROVAL_REFUSED` when they may not */
export function checkApprover(
  action: Pick<ActionRow, 'approvers' | 'self_approval' | 'asked_by'>,
  decider: Actor,
  actingFor: string | undefined,
): Approver {
  const { approvers, self_approval: selfApproval, asked_by: askedBy } = action;
  const approver = { ...toActorRef(decider, actingFor), groups: decider.groups };
  const problem = findApproverProblem(approver, { approvers, selfApproval }, askedBy ?? []);
  if (problem) throw problem;
  return approver;
}
