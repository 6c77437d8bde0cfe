import type { ActionRow } from '../db/actions/action-rows.ts';
import { toActorRef } from '../domain/actor.ts';
import { findApproverProblem, type Approver } from '../domain/approver.ts';
import type { Principal } from '../domain/api-key.ts';

/** The program that decides; for a decision that came through Temporal its key and scopes are null. */
export type Deciding = Omit<Principal, 'apiKeyId' | 'scopes'> & {
  apiKeyId: string | null;
  scopes: Principal['scopes'] | null;
};

/** The decider of a decision without a key, through Temporal or Slack. Its person is not known, so it is in no group. */
export function toKeylessDecider(workspaceId: string): Deciding {
  return { workspaceId, apiKeyId: null, scopes: null, groups: [], actsFor: null };
}

/** Returns who decides. @throws HoldfastError `NOT_AN_APPROVER`, `SELF_APPROVAL_REFUSED` when they may not */
export function checkApprover(
  action: Pick<ActionRow, 'approvers' | 'self_approval' | 'asked_by'>,
  decider: Deciding,
  actingFor: string | undefined,
): Approver {
  const { approvers, self_approval: selfApproval, asked_by: askedBy } = action;
  const approver = { ...toActorRef(decider, actingFor), groups: decider.groups };
  const problem = findApproverProblem(approver, { approvers, selfApproval }, askedBy ?? []);
  if (problem) throw problem;
  return approver;
}
