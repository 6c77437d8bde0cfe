import { toApprovalMode, toRejectedMessage, type ApprovalMode } from '../../src/domain/approval.ts';
import { toApproverRules } from '../../src/domain/approver.ts';
import { toDurationText } from '../../src/domain/duration.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import type { ToolResult, ToolSettings } from '../../src/domain/tool.ts';
import type { ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import type { CallApproval } from '../../src/modules/actions/call-actions.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { toApprovalHash } from '../../src/modules/actions/approval-hash.ts';
import { findAskingReasons, listConditions } from '../../src/engines/rules/approval-condition.ts';
import { findToolType } from '../../src/engines/tools/find-tool-type.ts';
import type { FindInnerCall } from '../../src/engines/tools/run-tool.ts';
import { hintedApproval } from '../../src/engines/tools/tool-definition.ts';
import type { InnerCall } from '../../src/engines/tools/tool-type.ts';
import type { ToolPort, StepTools } from '../step-dependencies.ts';
import { askOrApprove, toInnerToolHash } from './ask-or-approve.ts';
import { takeEffect } from './call-ledger.ts';
import { prepareCall, type AllowedCall } from './prepare-call.ts';
import { toAnsweredEnd, toFailedEnd, toSkippedEnd, toUnknownEnd } from './tool-call-ends.ts';

/** A call that the rules allow. */
interface CallToApprove extends AllowedCall {
  call: ClaimedToolCall;
  /** The tool behind a gateway that the call is for; null for every other call. */
  inner: InnerCall | null;
}

/** Finds the tool behind a gateway that a call with these arguments is for. */
type FindInner = (input: JsonObject) => ReturnType<FindInnerCall>;

/** A call that does not run: it ends, or waits for an action. */
export type CallRuling = { end: ToolCallEnd } | { actionId: string };

/**
 * Returns the ruling of a call that is skipped because of a message of the user, or for which an approval was requested;
 * null otherwise, and when it was approved.
 */
export async function findDecision(
  dependencies: Pick<ToolPort, 'getVersion'>,
  call: ClaimedToolCall,
): Promise<CallRuling | null> {
  const { approval } = call;
  if (call.steering && call.status_before === 'requested') return { end: toSkippedEnd(call) };
  if (!approval || approval.status === 'approved') return null;
  if (approval.status === 'pending') return { actionId: approval.actionId };
  if (approval.status === 'cancelled') return { end: toSkippedEnd(call) };
  const error =
    approval.status === 'rejected'
      ? toRejection(call, approval.reason)
      : toExpiry(await readApprovalTimeoutMs(dependencies, call));
  return { end: toFailedEnd(call, error) };
}

/**
 * Applies the rules to a claimed call and asks for its approval when it needs one. Null when it may run.
 * @param findInner only for calls that may go through a gateway
 */
export async function ruleOnCall(
  dependencies: ToolPort,
  call: ClaimedToolCall,
  findInner: FindInner = () => Promise.resolve(null),
): Promise<CallRuling | null> {
  const prepared = await prepareCall(dependencies, call, toRunArguments(call));
  if ('end' in prepared) return prepared;
  const inner = await findInner(prepared.input);
  if (inner && 'status' in inner) return { end: toAnsweredEnd(call, inner) };
  if (inner) {
    // An attempt began when the server named another effect, and may have acted.
    if (call.status_before === 'started' && inner.effect === 'unsafe')
      return { end: toUnknownEnd(call, 'an attempt was cut off') };
    await takeEffect(dependencies, call, inner.effect);
  }
  return approveCall(dependencies, { call, inner, ...prepared });
}

/** Reads how long a call waits for a person. */
export async function readApprovalTimeoutMs(
  { getVersion }: Pick<ToolPort, 'getVersion'>,
  call: ClaimedToolCall,
): Promise<number> {
  const { limits } = await getVersion(call.workspace_id, call.agent_version_id);
  return limits.approvalTimeoutMs ?? defaultLimits.approvalTimeoutMs;
}

/** The arguments with which a call runs: those of the model, unless a person has changed them. */
export function toRunArguments({ arguments: proposed, approval }: ClaimedToolCall): JsonObject | null {
  return approval?.arguments ?? proposed;
}

/** Adds a note for the model to the result of a call whose arguments a person has changed. */
export function withChangedArguments({ approval }: ClaimedToolCall, result: ToolResult): ToolResult {
  if (result.status !== 'succeeded' || !approval?.arguments) return result;
  const note = `A person approved the call with these arguments instead: ${JSON.stringify(approval.arguments)}`;
  return { ...result, text: `${note}\n\n${result.text}` };
}

/** The result of a call that waits for an action, for the workflow. */
export function toWaitingResult({ actionId }: { actionId: string }): ExecuteToolCallResult {
  return { status: 'requested', resultPreview: 'waits for a person', durationMs: 0, actionId };
}

/** Asks for the approval of a call that needs one, and compares what will run with what was approved. */
async function approveCall(dependencies: ToolPort, asked: CallToApprove): Promise<CallRuling | null> {
  const { call, inner } = asked;
  const reasons = call.approval ? [] : await findReasons(dependencies, asked);
  const mode = call.approval ? null : findMode({ ...asked, reasons });
  if (mode === 'never') return null;
  const refusal = await inner?.findRefusal();
  if (refusal) return { end: toAnsweredEnd(call, refusal) };
  return call.approval
    ? compare(asked, call.approval)
    : ask(dependencies, { ...asked, reasons }, mode ?? 'ask');
}

function compare(
  { call, tool, input, inner }: CallToApprove,
  { hash, toolHash }: CallApproval,
): CallRuling | null {
  const isSameTool = inner === null || toolHash === toInnerToolHash(tool, inner);
  if (isSameTool && hash === toApprovalHash({ tool, arguments: input })) return null;
  const message = `${inner?.target ?? call.name} was not run, since it is not what was approved.`;
  return { end: toFailedEnd(call, { code: 'APPROVAL_MISMATCH', message }) };
}

/** Says which conditions the arguments match, those of the agent's own tools that lead to the same place included. */
export function findReasons(
  { tools }: { tools: Pick<StepTools, 'checksOf'> },
  {
    call,
    input,
    conditions,
    inner,
  }: Pick<CallToApprove, 'input' | 'conditions' | 'inner'> & {
    call: Pick<ClaimedToolCall, 'workspace_id'>;
  },
): Promise<string[]> {
  const { args } = input;
  const ofTwins = listTwinSettings(inner).flatMap((one) =>
    listConditions(one, isJsonObject(args) ? args : {}),
  );
  return findAskingReasons([...conditions, ...ofTwins], tools.checksOf(call.workspace_id));
}

/**
 * Returns whether a person has to approve a call. A setting of the gateway holds for all of its calls; without one the
 * annotations of the tool behind it decide.
 */
export function findMode({
  call,
  tool,
  input,
  policies,
  inner,
  reasons,
}: Omit<CallToApprove, 'call' | 'conditions'> & {
  call: Pick<ClaimedToolCall, 'effect' | 'workspace_approval'>;
  reasons: string[];
}): ApprovalMode {
  const type = findToolType(tool.type);
  if (type?.isHarmless?.(tool, input)) return 'never';
  const destroys = type?.destroys?.(tool, input) === true;
  const hinted = inner ? hintedApproval(inner.definition) : destroys ? 'ask' : undefined;
  return toApprovalMode({
    setting: tool.settings?.approval ?? hinted,
    isReadOnly: call.effect === 'read_only',
    workspace: call.workspace_approval ?? 'never',
    policies: [...policies, ...listTwinSettings(inner)].map(({ approval }) => approval),
    matches: reasons.length > 0,
  });
}

/** The settings of the agent's own tools with the same target, which hold for calls through the gateway too. */
function listTwinSettings(inner: InnerCall | null): ToolSettings[] {
  return inner?.twins.map(({ settings }) => settings ?? {}) ?? [];
}

async function ask(
  dependencies: ToolPort,
  { call, tool, input, policies, inner, reasons }: CallToApprove & { reasons: string[] },
  mode: ApprovalMode,
): Promise<CallRuling | null> {
  const timeoutMs = await readApprovalTimeoutMs(dependencies, call);
  const rules = toApproverRules([tool.settings, ...policies, ...listTwinSettings(inner)]);
  const asked = {
    ...{ call, tool, input, inner, timeoutMs, rules },
    ...{ canRemember: mode === 'ask', askedBecause: reasons },
  };
  const found = await askOrApprove(dependencies, asked);
  if (found.status === 'approved') return null;
  return found.status === 'pending'
    ? { actionId: found.id }
    : { end: toFailedEnd(call, toRejection(call, found.reason)) };
}

function toRejection({ name }: ClaimedToolCall, reason: string | null): ErrorInfo {
  return { code: 'APPROVAL_REJECTED', message: toRejectedMessage(name, reason) };
}

function toExpiry(timeoutMs: number): ErrorInfo {
  const message = `Nobody decided within ${toDurationText(timeoutMs)}; it was not run.`;
  return { code: 'APPROVAL_EXPIRED', message };
}
