import { toApprovalHash, toToolHash } from '../../src/modules/actions/approval-hash.ts';
import { findBrokenPin } from '../../src/modules/actions/pins.ts';
import type { ActionRow } from '../../src/modules/actions/action-rows.ts';
import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { findApproverProblem, type ApproverRules } from '../../src/domain/approver.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { hashDefinition } from '../../src/engines/tools/tool-definition.ts';
import type { InnerCall } from '../../src/engines/tools/tool-type.ts';
import type { ToolPort, StepRepositories } from '../step-dependencies.ts';

/** A call that may run only when it is approved. */
interface CallToAsk {
  call: ClaimedToolCall;
  tool: Tool;
  input: JsonObject;
  /** The tool behind a gateway that the call is for; null for every other call. */
  inner: InnerCall | null;
  timeoutMs: number;
  /** Whether a remembered approval may let it run. */
  canRemember: boolean;
  /** The people who may decide. */
  rules: ApproverRules;
  /** The conditions that the arguments match. */
  askedBecause: string[];
}

/**
 * Finds the decision about a call for which no approval was requested: the same call was rejected in this turn, or a
 * remembered approval fits. Otherwise requests an approval, and the call waits.
 * @throws HoldfastError `TURN_SETTLED` when the call is over
 */
export async function askOrApprove({ transact, notifier }: ToolPort, asked: CallToAsk): Promise<ActionRow> {
  const { call, tool, input, inner, canRemember, timeoutMs, rules, askedBecause } = asked;
  const hash = toApprovalHash({ tool, arguments: input });
  const action = await transact(call.workspace_id, async (repositories) => {
    const { actions, grantedCalls, pins } = repositories;
    const [, rejected, pinned] = await Promise.all([
      grantedCalls.lockForAsking(),
      actions.findRejected({ turnId: call.turn_id, kind: 'approval', hash }),
      inner ? null : pins.findPinnedHash(call.agent_id, tool.id),
    ]);
    if (rejected) return rejected;
    const toolHash = inner
      ? toInnerToolHash(tool, inner)
      : toToolHash({ tool, target: null, definitionHash: pinned?.hash ?? null });
    const request = { toolCallId: call.id, arguments: input, hash, toolHash };
    // A later attempt that has claimed the call since may have sent it.
    const { attempts } = call;
    const granted = canRemember ? await approveByGrant(repositories, request, rules) : null;
    return granted ?? actions.request({ ...request, attempts, canRemember, timeoutMs, rules, askedBecause });
  });
  if (!action) throw new HoldfastError('TURN_SETTLED', 'The tool call is over.');
  notifier.events(call.conversation_id);
  return action;
}

async function approveByGrant(
  { grants, grantedCalls }: Pick<StepRepositories, 'grants' | 'grantedCalls'>,
  request: { toolCallId: string; arguments: JsonObject; hash: string; toolHash: string },
  rules: ApproverRules,
): Promise<ActionRow | null> {
  const inForce = await grants.listInForce(request);
  const fitting = inForce.find(
    ({ pins, created_by: by, groups, asked_by: askedBy }) =>
      findBrokenPin(request.arguments, pins) === undefined &&
      findApproverProblem({ ...by, groups }, rules, askedBy) === undefined,
  );
  return fitting ? grantedCalls.approve({ ...request, grantId: fitting.id }) : null;
}

/** Returns SHA-256 in hex over a gateway and the tool behind it, as its server defines it now. */
export function toInnerToolHash(tool: Tool, { target, definition }: InnerCall): string {
  return toToolHash({ tool, target, definitionHash: hashDefinition(definition) });
}
