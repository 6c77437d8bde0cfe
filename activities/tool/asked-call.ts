import { toDurationText } from '../../src/domain/duration.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toAnswerText, type CallRequest } from '../../src/domain/question.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { toApprovalHash } from '../../src/actions/approval-hash.ts';
import type { AskedRequest } from '../../src/db/actions/call-actions.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toRunArguments, withChangedArguments, type CallRuling } from './approve-call.ts';
import { toAnsweredEnd, toFailedEnd, toSkippedEnd, toUnknownEnd } from './tool-call-ends.ts';

type AskedKind = AskedRequest['kind'];

/** Stores what a call asks somebody else, and lets it wait. What was declined in its turn is not asked again. */
export async function askOthers(
  { transact, getVersion, notifier }: ActivityDependencies,
  call: ClaimedToolCall,
  request: CallRequest,
): Promise<CallRuling> {
  const { limits } = await getVersion(call.workspace_id, call.agent_version_id);
  const { kind } = request;
  const tool = call.tool as Tool;
  const input = toRunArguments(call) ?? {};
  const hash = toApprovalHash({ tool, arguments: input });
  const ownTimeoutMs = kind === 'client_tool' ? tool.settings?.timeoutMs : undefined;
  const timeoutMs = ownTimeoutMs ?? limits.approvalTimeoutMs ?? defaultLimits.approvalTimeoutMs;
  const ruling = await transact(call.workspace_id, async ({ actions }) => {
    const declined = await actions.findRejected({ turnId: call.turn_id, kind, hash });
    if (declined) return { end: toFailedEnd(call, toDeclined(call, { kind, reason: declined.reason })) };
    const isActedOn = kind === 'client_tool';
    const action = await actions.request({
      ...request,
      ...{ toolCallId: call.id, arguments: input, hash, timeoutMs, isActedOn },
    });
    if (!action) throw new HoldfastError('TURN_SETTLED', 'The tool call is over.');
    return { actionId: action.id };
  });
  notifier.events(call.conversation_id);
  return ruling;
}

/** Returns the ruling of a call that has asked somebody else; null when it has asked nothing. */
export function findAnswer(call: ClaimedToolCall): CallRuling | null {
  const request = call.requests?.at(-1);
  if (!request) return null;
  return request.status === 'pending' ? { actionId: request.actionId } : { end: toEnd(call, request) };
}

function toEnd(call: ClaimedToolCall, request: AskedRequest): ToolCallEnd {
  const { kind, status, answer, isError } = request;
  // The program may have executed the call, though it never said so.
  const mayHaveActed = kind === 'client_tool' && call.effect !== 'read_only';
  if (status === 'rejected') return toFailedEnd(call, toDeclined(call, request));
  if (status === 'expired' && mayHaveActed) return toUnknownEnd(call, toSilence(call, request));
  if (status === 'expired')
    return toFailedEnd(call, { code: 'ANSWER_EXPIRED', message: `${toSilence(call, request)}.` });
  if (status !== 'answered')
    return mayHaveActed ? toUnknownEnd(call, 'the turn stopped') : toSkippedEnd(call);
  if (isError) return toFailedEnd(call, { code: 'TOOL_FAILED', message: toAnswerText(answer) });
  return toAnsweredEnd(call, withChangedArguments(call, { status: 'succeeded', text: toAnswerText(answer) }));
}

function toDeclined({ name }: ClaimedToolCall, asked: { kind: AskedKind; reason: string | null }): ErrorInfo {
  const isQuestion = asked.kind === 'question';
  const declined = isQuestion
    ? 'The person declined to answer'
    : `The program that runs ${name} declined this call`;
  const advice = isQuestion
    ? 'Do not ask the same again.'
    : `${name} was not run. Do not call it again with the same arguments.`;
  const reason = asked.reason === null ? '.' : `: ${asked.reason}`;
  return { code: 'ANSWER_DECLINED', message: `${declined}${reason} ${advice}` };
}

function toSilence({ name }: ClaimedToolCall, { kind, timeoutMs }: AskedRequest): string {
  const time = toDurationText(timeoutMs);
  return kind === 'question'
    ? `Nobody answered within ${time}`
    : `the program that runs ${name} did not answer within ${time}`;
}
