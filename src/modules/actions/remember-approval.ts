import { isDeepStrictEqual } from 'node:util';
import { createGrantedCalls, type WaitingApproval } from './granted-calls.ts';
import type { ActionRow, LockedAction } from './action-rows.ts';
import { createGrantRepository } from './grant-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import { findApproverProblem, type Approver } from '../../domain/approver.ts';
import type { ApprovalGrant } from './approval-grant.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { longestGrantDays, type RememberInput } from '../../domain/remember-input.ts';
import { findBrokenPin } from './pins.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** An approval that is to be remembered. */
interface ApprovalToRemember {
  workspaceId: string;
  action: LockedAction;
  /** The arguments with which the approved call runs. */
  approved: JsonObject;
  remember: RememberInput;
  approver: Approver;
}

/**
 * Remembers an approval for later calls, and approves the pending calls that it covers. Call `lockForRemembering` before
 * the action is locked, and decide the action itself afterwards: every decision locks actions before conversations.
 * @throws HoldfastError `INVALID_INPUT` when it would allow more than a call like the approved one, `CONFLICT` when too
 * many are remembered
 */
export async function rememberApproval(
  query: Query,
  { workspaceId, action, approved, remember, approver }: ApprovalToRemember,
): Promise<ActionRow[]> {
  const { scope, pins, until } = remember;
  const { groups, ...createdBy } = approver;
  const toolHash = checkRemember(action, approved, remember);
  const scopeId = {
    conversation: action.root_conversation_id,
    agent: action.agent_id,
    workspace: workspaceId,
  }[scope];
  const grant = await createGrantRepository(query).create({
    ...{ scope, scopeId, toolHash, pins, until, createdBy, groups: [...groups] },
    ...{ tool: action.tool, target: action.target, actionId: action.id },
  });
  if (!grant) {
    const message = `Too many approvals of ${action.tool} are remembered in this scope. Revoke some of them first.`;
    throw new HoldfastError('CONFLICT', message);
  }
  const calls = createGrantedCalls(query);
  const waiting = await calls.listWaiting({ scope, scopeId, toolHash });
  const fitting = waiting.filter((one) => one.id !== action.id && fits(one, { pins, approver }));
  return calls.release(
    grant,
    fitting.map(({ id }) => id),
  );
}

/** Whether a remembered approval holds for a call that waits: its pins, and who has approved. */
function fits(
  { arguments: input, approvers, self_approval: selfApproval, asked_by: askedBy }: WaitingApproval,
  { pins, approver }: { pins: JsonObject; approver: Approver },
): boolean {
  if (findBrokenPin(input, pins) !== undefined) return false;
  return findApproverProblem(approver, { approvers, selfApproval }, askedBy ?? []) === undefined;
}

/** Returns whether a stored remembered approval equals a requested one. */
export function isSameGrant(grant: ApprovalGrant | null, remember: RememberInput | undefined): boolean {
  if (!grant || !remember) return !grant && !remember;
  const isSameTime = Date.parse(grant.until) === Date.parse(remember.until);
  return grant.scope === remember.scope && isSameTime && isDeepStrictEqual(grant.pins, remember.pins);
}

/** Returns the hash of the tool for which the approval is remembered. */
function checkRemember(
  { tool, target, arguments: proposed, can_remember: canRemember, tool_hash: toolHash }: LockedAction,
  approved: JsonObject,
  { tool: named, pins, until }: RememberInput,
): string {
  if (!canRemember || toolHash === null) {
    throw refuse('remember', `${tool} asks before every call (always_ask); its approvals are not remembered`);
  }
  if (named !== tool)
    throw refuse('remember.tool', `expected ${tool}, the tool of this call; found ${named}`);
  if (target !== null && approved !== proposed) {
    throw refuse('remember', 'a call through a gateway whose arguments were changed is not remembered');
  }
  const broken = findBrokenPin(approved, pins);
  if (broken !== undefined) {
    const expected = 'expected a value that the arguments of the approved call have at this path';
    throw refuse(`remember.pins.${broken}`, `${expected}; found ${JSON.stringify(pins[broken])}`);
  }
  const leftMs = Date.parse(until) - Date.now();
  if (leftMs > 0 && leftMs <= longestGrantDays * dayMs) return toolHash;
  throw refuse('remember.until', `expected a time within the next ${longestGrantDays} days; found ${until}`);
}

function refuse(field: string, message: string): HoldfastError {
  return createInvalidInput([{ field, message }]);
}
