import { toDurationText } from '../../src/domain/duration.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import { toAnswerText, type CallRequest } from '../../src/domain/question.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { toApprovalHash, toQuestionHash } from '../../src/modules/actions/approval-hash.ts';
import type { NewAction } from '../../src/modules/actions/request-action.ts';
import type { AskedRequest } from '../../src/modules/actions/call-actions.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { ToolPort } from '../step-dependencies.ts';
import {
  readApprovalTimeoutMs,
  toRunArguments,
  withChangedArguments,
  type CallRuling,
} from './approve-call.ts';
import { isRepeatable, listRound, mostQuestions } from './call-dialogue.ts';
import {
  toAnsweredEnd,
  toFailedEnd,
  toSkippedEnd,
  toUnknownEnd,
  withEarlierAttempts,
} from './tool-call-ends.ts';

type AskedKind = AskedRequest['kind'];

/**
 * Stores the requests of a call as actions, for which the call waits. A question of the agent, or a call of a client tool,
 * that was declined before in this turn ends the call instead; a server gets the decline as the answer to its question.
 */
export async function askOthers(
  dependencies: ToolPort,
  call: ClaimedToolCall,
  requests: CallRequest[],
): Promise<CallRuling> {
  const position = call.requests?.length ?? 0;
  if (position + requests.length > mostQuestions) return { end: toFailedEnd(call, toTooMany(call)) };
  const approvalTimeoutMs = await readApprovalTimeoutMs(dependencies, call);
  const asked = requests.map((request, index) =>
    toNewAction(call, request, { approvalTimeoutMs, round: position, position: position + index }),
  );
  const ruling = await dependencies.transact(call.workspace_id, async ({ actions }) => {
    const ids: string[] = [];
    for (const { kind, hash, ...action } of asked) {
      const declined = action.source
        ? null
        : await actions.findRejected({ turnId: call.turn_id, kind, hash });
      if (declined) return { end: toFailedEnd(call, toDeclined(call, { kind, reason: declined.reason })) };
      const stored = await actions.request({ ...action, kind, hash });
      if (!stored) throw new HoldfastError('TURN_SETTLED', 'The tool call is over.');
      ids.push(stored.id);
    }
    return { actionId: ids[0] ?? '' };
  });
  dependencies.notifier.events(call.conversation_id);
  return ruling;
}

interface AskedPosition {
  approvalTimeoutMs: number;
  round: number;
  position: number;
}

function toNewAction(
  call: ClaimedToolCall,
  request: CallRequest,
  { approvalTimeoutMs, round, position }: AskedPosition,
): NewAction & { kind: AskedKind } {
  const tool = call.tool as Tool;
  const input = toRunArguments(call) ?? {};
  // The first question of a round takes back the claim, after which the others are asked.
  const claim = position === round ? { attempts: call.attempts } : {};
  const place = { toolCallId: call.id, arguments: input, position, ...claim };
  const hash = toApprovalHash({ tool, arguments: input });
  if (request.kind === 'client_tool') {
    const timeoutMs = tool.settings?.timeoutMs ?? approvalTimeoutMs;
    return { ...request, ...place, hash, timeoutMs, isActedOn: true };
  }
  const { question: message, schema, source } = request;
  if (!source) return { ...request, ...place, hash, timeoutMs: approvalTimeoutMs };
  return {
    ...{ ...request, ...place, timeoutMs: approvalTimeoutMs },
    hash: toQuestionHash({ message, schema, url: source.url }),
    source: { ...source, round },
  };
}

/** Returns the ruling of a call by its stored requests; null when it has none, or continues with their answers. */
export function findAnswer(call: ClaimedToolCall): CallRuling | null {
  const last = call.requests?.at(-1);
  if (!call.requests || !last) return null;
  const open = call.requests.find(({ status }) => status === 'pending');
  if (open) return isLost(call, open) ? { end: toLostEnd(call) } : { actionId: open.actionId };
  return last.source ? findEndOfRound(call, listRound(call.requests)) : { end: toEnd(call, last) };
}

/** A question of an open call ends with the attempt that held it, when the call must not be sent again. */
function isLost(call: ClaimedToolCall, { source }: AskedRequest): boolean {
  return source?.via === 'request' && call.status_before === 'started' && !isRepeatable(call);
}

function toLostEnd(call: ClaimedToolCall): ToolCallEnd {
  return toUnknownEnd(call, 'the process that ran it was lost');
}

/** The end of a call whose server's questions expired, were cancelled or refused; null when the call continues. */
function findEndOfRound(call: ClaimedToolCall, round: AskedRequest[]): CallRuling | null {
  const silent = round.find(({ status }) => status === 'expired');
  if (silent) return toServerEnd(call, { code: 'ANSWER_EXPIRED', message: `${toSilence(call, silent)}.` });
  if (round.some(({ status }) => status === 'cancelled'))
    return { end: withEarlierAttempts(call, toSkippedEnd(call)) };
  // A server that asked by an error takes no answers: it expects the call again after the person has opened its address.
  const isAccepted = ({ source, answer }: AskedRequest) => source?.via !== 'error' || answer === 'accept';
  const refused = round.find((one) => !isAccepted(one));
  return refused ? toServerEnd(call, toDeclined(call, refused)) : null;
}

function toServerEnd(call: ClaimedToolCall, error: ErrorInfo): CallRuling {
  return { end: withEarlierAttempts(call, toFailedEnd(call, error)) };
}

function toTooMany({ name }: ClaimedToolCall): ErrorInfo {
  return {
    code: 'TOOL_FAILED',
    message: `${name} did not run: its server asked more than ${mostQuestions} questions.`,
  };
}

function toEnd(call: ClaimedToolCall, request: AskedRequest): ToolCallEnd {
  const { kind, status, answer, isError } = request;
  // The program may have executed the call without reporting it.
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
