import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import { toolMaximumAttempts } from '../../src/contract/retry-limits.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { toPreview } from '../../src/domain/text.ts';
import { toExceptionMessage } from '../../src/domain/tool-response.ts';
import { isDatabaseOutage } from '../../src/platform/lib/database-outage.ts';
import { ToolInterruptedError } from '../../src/domain/tool-interrupted.ts';
import type { Tool, ToolOutcome, ToolRun } from '../../src/domain/tool.ts';
import type { ExecuteToolCallInput, ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { claimCall, hasEnded, releaseAndStop, toStoredResult } from './claimed-call.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';
import { askOthers, findAnswer } from './asked-call.ts';
import { createDialogue, findLeftQuestion, withUnanswered } from './call-dialogue.ts';
import { finishCall, type EndedCall } from './finish-call.ts';
import {
  findDecision,
  ruleOnCall,
  toRunArguments,
  toWaitingResult,
  withChangedArguments,
  type CallRuling,
} from './approve-call.ts';
import { findToolType } from '../../src/engines/tools/find-tool-type.ts';
import { isUnavailable, runStep } from '../run-step.ts';
import type { StepRun } from '../run-step.ts';
import { withTimeLimit } from '../../src/platform/activity/with-time-limit.ts';
import { reserveToolCall } from './reserve-tool-call.ts';
import { toAnsweredEnd, toFailedEnd, toUnknownEnd, withEarlierAttempts } from './tool-call-ends.ts';

/** Runs one tool call as its own activity. */
export function createExecuteToolCall(dependencies: StepDependencies) {
  const { pipelined, wakeups } = dependencies;

  return (asked: ExecuteToolCallInput): Promise<ExecuteToolCallResult> =>
    runStep(asked, { pipelined, wakeups, what: 'a tool was running' }, async (input, run) => {
      const { result } = await runToolCall(dependencies, { input, run });
      return result;
    });
}

interface ToolCallOptions {
  input: ExecuteToolCallInput;
  run: StepRun;
  /** The call when its answer was stored with the claim of this attempt. */
  claimed?: ClaimedToolCall | undefined;
  /** Names the claim of this attempt. @default a new name */
  claimId?: string | undefined;
}

/**
 * Runs one tool call under the ledger: claims it, runs it at most as often as its effect allows, and stores its
 * outcome. Returns the stored result of a call that has ended; an interrupted one that must not run again is `unknown`.
 */
export async function runToolCall(
  dependencies: StepDependencies,
  { input, run, claimed, claimId }: ToolCallOptions,
): Promise<EndedCall> {
  const call = claimed ?? (await claimCall(dependencies, input, claimId));
  if (hasEnded(call)) return { result: toStoredResult(call), stored: null };
  const answer = findAnswer(call);
  if (answer && 'end' in answer) return finishCall(dependencies, call, answer.end);
  const ruling =
    answer ?? (await findDecision(dependencies, call)) ?? (await runOnce(dependencies, { call, input, run }));
  if ('actionId' in ruling) return { result: toWaitingResult(ruling), stored: null };
  return finishCall(dependencies, call, withEarlierAttempts(call, ruling.end));
}

/**
 * A call that was refused when the model's answer was stored (`call.error`), or that only asks, was never sent by any
 * attempt.
 */
async function runOnce(dependencies: StepDependencies, run: CallRun): Promise<CallRuling> {
  const { call } = run;
  const onlyAsks = call.tool !== null && findToolType(call.tool.type)?.onlyAsks?.(call.tool);
  if (call.runs || call.error || onlyAsks) return runCall(dependencies, run);
  return { end: toUnknownEnd(call, 'the process that ran it was lost') };
}

interface CallRun {
  call: ClaimedToolCall;
  input: ExecuteToolCallInput;
  run: StepRun;
}

/** Runs a claimed call to its end. Throws only retryable errors and the reason for which the turn stops. */
async function runCall(dependencies: StepDependencies, callRun: CallRun): Promise<CallRuling> {
  const { call, input, run } = callRun;
  const { signal } = run;
  const ruling = await prepareOrRelease(dependencies, callRun);
  if (ruling) return ruling;
  if (call.cancel_requested || signal.aborted) await releaseAndStop(dependencies, call, signal);
  const refused = await reserveToolCall(dependencies, call);
  if (refused) return refused;
  const dialogue = createDialogue(dependencies, call, input.deadlineAt);
  let outcome: ToolOutcome;
  try {
    outcome = await withTimeLimit({ timeoutMs: input.timeoutMs, signal }, (limited) =>
      execute(dependencies, call, {
        ...{ timeoutMs: input.timeoutMs, signal: limited },
        ...{ onProgress: run.heartbeat, dialogue },
      }),
    );
  } catch (error) {
    const left = signal.aborted ? null : findLeftQuestion(call, dialogue);
    return left ?? { end: await toInterruptedEnd(dependencies, { ...callRun, error }) };
  }
  if (outcome.status === 'waits') return askOthers(dependencies, call, outcome.requests);
  const result = withChangedArguments(call, withUnanswered(outcome, dialogue));
  return findLeftQuestion(call, dialogue) ?? { end: toAnsweredEnd(call, result) };
}

/**
 * Makes a call again whose turn has ended, with its key and under its rules. Returns the end of one that the rules refuse.
 * @throws ToolInterruptedError; StepStopped `timeout`
 */
export async function repeatCall(
  dependencies: StepDependencies,
  call: ClaimedToolCall,
  timeoutMs: number,
): Promise<CallRuling | ToolOutcome> {
  return withTimeLimit({ timeoutMs, signal: new AbortController().signal }, async (signal) => {
    const limits = { timeoutMs, signal, onProgress: () => undefined };
    const ruling = await ruleOnCall(dependencies, call, (toolArguments) =>
      findInner(dependencies, { call, limits }, toolArguments),
    );
    return ruling ?? execute(dependencies, call, limits);
  });
}

/** Decides whether a call may run. An error here releases the claim, since nothing was sent yet. */
async function prepareOrRelease(
  dependencies: StepDependencies,
  callRun: CallRun,
): Promise<CallRuling | null> {
  const { call, run, input } = callRun;
  const limits = { timeoutMs: input.timeoutMs, signal: run.signal, onProgress: run.heartbeat };
  try {
    return await ruleOnCall(dependencies, call, (toolArguments) =>
      findInner(dependencies, { call, limits }, toolArguments),
    );
  } catch (error) {
    // The server that defines the tool is unreachable: the call ends, or is tried again, as one that could not be sent.
    if (error instanceof ToolInterruptedError && !run.signal.aborted)
      return { end: await toInterruptedEnd(dependencies, { ...callRun, error }) };
    const release = dependencies.pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.release(call));
    await release.catch(() => undefined);
    throw error;
  }
}

/** @throws ToolInterruptedError when the server that defines the tool behind a gateway cannot be asked */
async function findInner(
  dependencies: StepDependencies,
  { call, limits }: { call: ClaimedToolCall; limits: RunLimits },
  toolArguments: JsonObject,
) {
  const run = await toToolRun(dependencies, call, limits);
  try {
    return await dependencies.tools.findInnerCall({ ...run, arguments: toolArguments });
  } catch (error) {
    if (error instanceof HoldfastError) throw toInterruption(error, call.name);
    throw error;
  }
}

async function execute(
  dependencies: StepDependencies,
  call: ClaimedToolCall,
  limits: RunLimits,
): Promise<ToolOutcome> {
  return dependencies.tools.run(await toToolRun(dependencies, call, limits));
}

type RunLimits = Pick<ToolRun, 'timeoutMs' | 'signal' | 'onProgress' | 'dialogue'>;

async function toToolRun(
  { getVersion }: StepDependencies,
  call: ClaimedToolCall,
  limits: RunLimits,
): Promise<ToolRun> {
  const tool = call.tool as Tool;
  const version = await getVersion(call.workspace_id, call.agent_version_id);
  return {
    ...limits,
    workspaceId: call.workspace_id,
    agentId: call.agent_id,
    connectors: version.connectors,
    agentTools: version.tools,
    conversationId: call.conversation_id,
    turnId: call.turn_id,
    toolCallId: call.id,
    tool,
    arguments: toRunArguments(call) ?? {},
    idempotencyKey: call.key,
  };
}

interface Interruption extends CallRun {
  error: unknown;
}

/** Returns the end of an interrupted call by the rules of the ledger. Throws when the call may run again. */
async function toInterruptedEnd(
  dependencies: StepDependencies,
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
async function toStoppedEnd(dependencies: StepDependencies, { call, run }: Interruption): Promise<never> {
  const stopped = run.signal.reason as StepStopped;
  if (stopped.reason !== 'shutdown') {
    const end =
      call.effect === 'read_only'
        ? toFailedEnd(call, { code: 'TURN_CANCELLED', message: `The turn stopped while ${call.name} ran.` })
        : toUnknownEnd(call, 'the turn stopped');
    await finishCall(dependencies, call, end);
  }
  throw stopped;
}

function toInterruption(error: unknown, name: string): ToolInterruptedError {
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
