import type { Actor } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { actsForOther } from '../../../domain/person.ts';
import type { SlackApprover } from '../../../domain/webhook.ts';

/**
 * Refuses approvers of a channel with more rights than the key that names them.
 * @throws HoldfastError `FORBIDDEN` for groups that the key is not in, and for other people than the one it acts for
 */
export function checkApprovers({ groups, actsFor }: Actor, approvers: readonly SlackApprover[]): void {
  const foreign = [...new Set(approvers.flatMap((one) => one.groups ?? []))].filter(
    (group) => !groups.includes(group),
  );
  if (foreign.length > 0) {
    const message = `The API key is not in the groups ${foreign.join(', ')}, which approvers of the channel are to have.`;
    throw new HoldfastError('FORBIDDEN', message, { details: { missingGroups: foreign } });
  }
  const other = approvers.find(({ person }) => actsForOther(actsFor, person));
  if (!other) return;
  const message = `The API key acts for ${actsFor} only, so that ${other.person} is not an approver of its channel.`;
  throw new HoldfastError('FORBIDDEN', message);
}

/** The approvers of a channel for the audit log. */
export function toApproversPayload(approvers: readonly SlackApprover[]): JsonObject {
  return {
    approvers: approvers.map(({ teamId, userId, person, groups = [] }) => ({
      ...{ team_id: teamId, user_id: userId, person, groups },
    })),
  };
}
