import { toolMaximumAttempts } from '../../src/contract/retry-limits.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import { toPreview } from '../../src/domain/text.ts';
import { ToolInterruptedError } from '../../src/domain/tool-interrupted.ts';
import { toExceptionMessage } from '../../src/domain/tool-response.ts';
import type { Tool, ToolOutcome, ToolRun } from '../../src/domain/tool.ts';
import type { ExecuteToolCallInput } from '../../src/contract/turn-steps.ts';
import { toolboxOf } from '../../src/engines/tools/toolbox.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { continuesElsewhere, StepStopped } from '../../src/platform/activity/failures.ts';
import { withTimeLimit } from '../../src/platform/activity/with-time-limit.ts';
import { isDatabaseOutage } from '../../src/platform/lib/database-outage.ts';
import { isUnavailable, type StepRun } from '../run-step.ts';
import type { ToolPort } from '../step-dependencies.ts';
import { toRunArguments, withChangedArguments, type CallRuling } from './approve-call.ts';
import { askOthers } from './asked-call.ts';
import { createDialogue, findLeftQuestion, withUnanswered } from './call-dialogue.ts';
import { endCall } from './call-ledger.ts';
import { toAnsweredEnd, toFailedEnd, toUnknownEnd } from './tool-call-ends.ts';

/** One attempt of a claimed tool call. */
export interface CallAttempt {
  call: ClaimedToolCall;
  input: ExecuteToolCallInput;
  run: StepRun;
}

/** The parts of a run that its caller sets. */
export type RunLimits = Pick<ToolRun, 'timeoutMs' | 'signal' | 'onProgress' | 'dialogue'>;

/**
 * Sends a call that may run, within its time limit, and returns how it ended or what it waits for.
 * @throws retryable errors of a call that may be sent again; the reason for which the turn stops
 */
export async function sendCall(dependencies: ToolPort, attempt: CallAttempt): Promise<CallRuling> {
  const { call, input, run } = attempt;
  const { signal, heartbeat: onProgress } = run;
  const { timeoutMs, deadlineAt } = input;
  const dialogue = createDialogue(dependencies, call, deadlineAt);
  let outcome: ToolOutcome;
  try {
    outcome = await withTimeLimit({ timeoutMs, signal }, async (limited) =>
      dependencies.tools.run(
        await toToolRun(dependencies, call, { timeoutMs, signal: limited, onProgress, dialogue }),
      ),
    );
  } catch (error) {
    const left = signal.aborted ? null : findLeftQuestion(call, dialogue);
    return left ?? { end: await toInterruptedEnd(dependencies, { ...attempt, error }) };
  }
  if (outcome.status === 'waits') return askOthers(dependencies, call, outcome.requests);
  const result = withChangedArguments(call, withUnanswered(outcome, dialogue));
  return findLeftQuestion(call, dialogue) ?? { end: toAnsweredEnd(call, result) };
}

/** Builds the run of a call with the tools and connections that its agent's version has. */
export async function toToolRun(
  { getVersion }: Pick<ToolPort, 'getVersion'>,
  call: ClaimedToolCall,
  limits: RunLimits,
): Promise<ToolRun> {
  const version = await getVersion(call.workspace_id, call.agent_version_id);
  return {
    ...limits,
    workspaceId: call.workspace_id,
    agentId: call.agent_id,
    toolbox: toolboxOf(version),
    conversationId: call.conversation_id,
    turnId: call.turn_id,
    toolCallId: call.id,
    tool: call.tool as Tool,
    arguments: toRunArguments(call) ?? {},
    idempotencyKey: call.key,
  };
}

interface Interruption extends CallAttempt {
  error: unknown;
}

/** Returns the end of an interrupted call by the rules of the ledger. Throws when the call may run again. */
export async function toInterruptedEnd(
  dependencies: ToolPort,
  interruption: Interruption,
): Promise<ToolCallEnd> {
  const { call, error, run, input } = interruption;
  const { signal } = run;
  if (error instanceof StepStopped && error.reason === 'timeout') {
    const message =
      `${call.name} did not answer within ${input.timeoutMs} ms. ` +
      'settings.timeoutMs of the tool or limits.activityTimeoutMs of the agent sets this limit.';
    return toBrokenEnd(call, { code: 'TOOL_TIMED_OUT', message }, true);
  }
  if (signal.aborted) return toStoppedEnd(dependencies, interruption);
  const interrupted = toInterruption(error, call.name);
  const isTooLate = Date.now() + (interrupted.retryAfterMs ?? 0) >= input.deadlineAt;
  const isLast = !interrupted.retryable || isTooLate || isLastAttempt(interrupted, run);
  // An earlier attempt may have acted even when this one sent nothing.
  const sent = interrupted.sent || call.status_before === 'started';
  if (isLast || (sent && call.effect === 'unsafe')) return toBrokenEnd(call, interrupted.toInfo(), sent);
  if (!interrupted.sent)
    await dependencies.pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.release(call));
  throw interrupted;
}

/** The step runs again without a new attempt while a service of Holdfast is unreachable. */
function isLastAttempt(interrupted: ToolInterruptedError, { attempt }: StepRun): boolean {
  return !isUnavailable(interrupted) && attempt >= toolMaximumAttempts;
}

/** Returns the end of a broken call: `unknown` when it may have taken effect, otherwise failed. */
function toBrokenEnd(call: ClaimedToolCall, error: ErrorInfo, sent: boolean): ToolCallEnd {
  if (!sent || call.effect === 'read_only') return toFailedEnd(call, error);
  const reason = `it was interrupted (${error.code}: ${toPreview(error.message, 300)})`;
  return toUnknownEnd(call, reason, error.details);
}

/** Ends a call whose turn stops, unless another worker will continue with it, and throws the reason of the signal. */
async function toStoppedEnd(dependencies: ToolPort, { call, run }: Interruption): Promise<never> {
  const stopped = run.signal.reason as StepStopped;
  if (!continuesElsewhere(stopped)) {
    const end =
      call.effect === 'read_only'
        ? toFailedEnd(call, { code: 'TURN_CANCELLED', message: `The turn stopped while ${call.name} ran.` })
        : toUnknownEnd(call, 'the turn stopped');
    await endCall(dependencies, call, end);
  }
  throw stopped;
}

/** Returns the error of a tool as one that says whether anything was sent. */
export function toInterruption(error: unknown, name: string): ToolInterruptedError {
  if (error instanceof ToolInterruptedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof HoldfastError)
    return new ToolInterruptedError(error.code, message, { sent: false, cause: error });
  // A core function works in the database of Holdfast, whose outages are waited out: the next attempt begins after them.
  if (isDatabaseOutage(error))
    return new ToolInterruptedError('SERVICE_UNAVAILABLE', message, { sent: true, cause: error });
  const exception = toExceptionMessage(name, message);
  return new ToolInterruptedError('TOOL_RUNNER_EXCEPTION', exception, { sent: true, cause: error });
}
