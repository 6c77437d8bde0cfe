import { HoldfastError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { ToolInterruptedError } from '../../src/domain/tool-interrupted.ts';
import type { ToolOutcome } from '../../src/domain/tool.ts';
import type { ExecuteToolCallInput, ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import { toolMaximumAttempts } from '../../src/contract/retry-limits.ts';
import { findToolType } from '../../src/engines/tools/find-tool-type.ts';
import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { withTimeLimit } from '../../src/platform/activity/with-time-limit.ts';
import { runStep } from '../run-step.ts';
import type { ToolPort } from '../step-dependencies.ts';
import { findDecision, ruleOnCall, toWaitingResult, type CallRuling } from './approve-call.ts';
import { findAnswer } from './asked-call.ts';
import { claimCall, endCall, hasEnded, stopIfAsked, toStoredResult, type EndedCall } from './call-ledger.ts';
import { reserveToolCall } from './call-price.ts';
import {
  sendCall,
  toInterruptedEnd,
  toInterruption,
  toToolRun,
  type CallAttempt,
  type RunLimits,
} from './send-call.ts';
import { toUnknownEnd, withEarlierAttempts } from './tool-call-ends.ts';

interface ToolCallOptions extends Omit<CallAttempt, 'call'> {
  /** The call when its answer was stored with the claim of this attempt. */
  claimed?: ClaimedToolCall | undefined;
  /** Names the claim of this attempt. @default a new name */
  claimId?: string | undefined;
}

/** Runs one tool call as its own activity. */
export function createExecuteToolCall(dependencies: ToolPort) {
  const { pipelined, wakeups } = dependencies;
  const step = { pipelined, wakeups, maximumAttempts: toolMaximumAttempts };

  return (asked: ExecuteToolCallInput): Promise<ExecuteToolCallResult> =>
    runStep(asked, { ...step, what: 'a tool was running' }, async (input, run) => {
      const { result } = await runToolCall(dependencies, { input, run });
      return result;
    });
}

/**
 * Runs one attempt of a tool call under the ledger: claims it, applies the rules, reserves its price, sends it, and stores its
 * end. The first step that has a ruling decides; only the sending has an effect outside of Holdfast. Returns the stored
 * result of a call that has ended; an interrupted one that must not run again is `unknown`.
 */
export async function runToolCall(
  dependencies: ToolPort,
  { input, run, claimed, claimId }: ToolCallOptions,
): Promise<EndedCall> {
  const call = claimed ?? (await claimCall(dependencies, input, { claimId, hold: run.hold }));
  if (hasEnded(call)) return { result: toStoredResult(call), stored: null };
  const attempt = { call, input, run };
  const ruling =
    findAnswer(call) ??
    overAttempts(
      call,
      (await findDecision(dependencies, call)) ??
        findLoss(call) ??
        (await applyRules(dependencies, attempt)) ??
        (await reserveToolCall(dependencies, call)) ??
        (await sendCall(dependencies, attempt)),
    );
  return 'actionId' in ruling
    ? { result: toWaitingResult(ruling), stored: null }
    : endCall(dependencies, call, ruling.end);
}

/**
 * Makes a call again whose turn has ended, with its key and under its rules. Returns the end of one that the rules refuse.
 * @throws ToolInterruptedError; StepStopped `timeout`
 */
export async function repeatCall(
  dependencies: ToolPort,
  call: ClaimedToolCall,
  timeoutMs: number,
): Promise<CallRuling | ToolOutcome> {
  return withTimeLimit({ timeoutMs, signal: new AbortController().signal }, async (signal) => {
    const limits = { timeoutMs, signal, onProgress: () => undefined };
    const ruling = await ruleOnCall(dependencies, call, createInnerFinder(dependencies, call, limits));
    return ruling ?? dependencies.tools.run(await toToolRun(dependencies, call, limits));
  });
}

function overAttempts(call: ClaimedToolCall, ruling: CallRuling): CallRuling {
  return 'actionId' in ruling ? ruling : { end: withEarlierAttempts(call, ruling.end) };
}

/**
 * Returns the end of a call whose earlier attempt was lost and which must not be sent again. A call that was refused when the
 * model's answer was stored (`call.error`), or that only asks, was sent by no attempt.
 */
function findLoss(call: ClaimedToolCall): CallRuling | null {
  const onlyAsks = call.tool !== null && findToolType(call.tool.type)?.onlyAsks?.(call.tool);
  if (call.runs || call.error || onlyAsks) return null;
  return { end: toUnknownEnd(call, 'the process that ran it was lost') };
}

/**
 * Returns the ruling on a call that may not run, or not yet. Nothing has been sent so far, so that an error, and a turn that
 * is asked to stop, release the claim.
 * @throws StepStopped; retryable errors
 */
async function applyRules(dependencies: ToolPort, attempt: CallAttempt): Promise<CallRuling | null> {
  const { call, run, input } = attempt;
  const limits = { timeoutMs: input.timeoutMs, signal: run.signal, onProgress: run.heartbeat };
  let ruling: CallRuling | null;
  try {
    ruling = await ruleOnCall(dependencies, call, createInnerFinder(dependencies, call, limits));
  } catch (error) {
    // The server that defines the tool is unreachable: the call ends, or is tried again, as one that could not be sent.
    if (error instanceof ToolInterruptedError && !run.signal.aborted)
      return { end: await toInterruptedEnd(dependencies, { ...attempt, error }) };
    const release = dependencies.pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.release(call));
    await release.catch(() => undefined);
    throw error;
  }
  if (!ruling) await stopIfAsked(dependencies, call, run.signal);
  return ruling;
}

/** The returned function throws `ToolInterruptedError` when the server that defines the tool behind a gateway cannot be asked. */
function createInnerFinder(dependencies: ToolPort, call: ClaimedToolCall, limits: RunLimits) {
  return async (toolArguments: JsonObject) => {
    const run = await toToolRun(dependencies, call, limits);
    try {
      return await dependencies.tools.findInnerCall({ ...run, arguments: toolArguments });
    } catch (error) {
      if (error instanceof HoldfastError) throw toInterruption(error, call.name);
      throw error;
    }
  };
}
