import { toDurationMs } from '../../src/domain/duration.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import { toPreview } from '../../src/domain/text.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { ToolEffect } from '../../src/domain/tool.ts';
import type { ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import type {
  ClaimedToolCall,
  ToolCallEnd,
  ToolCallPosition,
} from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { TurnState } from '../../src/modules/turns/turn-state.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';
import type { ToolPort } from '../step-dependencies.ts';
import type { TurnHold } from '../turn-hold.ts';
import { isOverBudget, withUnreportedPrice } from './call-price.ts';

/** The result of an ended call; `stored` is null when another attempt had stored an end before. */
export interface EndedCall {
  result: ExecuteToolCallResult;
  stored: { end: ToolCallEnd; state: TurnState } | null;
}

interface ClaimOptions {
  /** Names the claim. @default a new name */
  claimId?: string | undefined;
  /** The hold of the process that runs the turn; undefined for a step that is its own activity. */
  hold?: TurnHold | undefined;
}

/**
 * Claims a call for this attempt, and notifies the readers of the conversation. A process that runs the turn sends a call only
 * after this, or after an answer that it stored with the claims of its calls.
 * @throws HoldfastError `TURN_SETTLED` when the turn is over or has no such call; StepStopped `lost` when another process holds
 * the turn
 */
export async function claimCall(
  { pipelined, notifier }: ToolPort,
  { workspaceId, ...position }: ToolCallPosition & { workspaceId: string },
  { claimId = newId(), hold }: ClaimOptions = {},
): Promise<ClaimedToolCall> {
  const call = await pipelined(workspaceId, ({ toolCalls }) => toolCalls.claim(position, claimId, hold?.id));
  if (!call) {
    const found = hold && (await pipelined(workspaceId, ({ childTurns }) => childTurns.findCall(position)));
    if (found) throw new StepStopped('lost');
    throw new HoldfastError('TURN_SETTLED', 'The turn is over, or has no such tool call.');
  }
  notifier.events(call.conversation_id);
  return call;
}

/** Returns whether a call had ended before it was claimed; then the stored result is returned and nothing runs. */
export function hasEnded({ status_before: status }: ClaimedToolCall): boolean {
  return status !== 'requested' && status !== 'started';
}

/**
 * Stops when the turn was asked to, before anything was sent, and releases the claim, so that the outcome of the call is known.
 * @throws StepStopped
 */
export async function stopIfAsked(
  { pipelined }: ToolPort,
  call: ClaimedToolCall,
  signal: AbortSignal,
): Promise<void> {
  if (!call.cancel_requested && !signal.aborted) return;
  await pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.release(call));
  signal.throwIfAborted();
  throw new StepStopped('cancelled');
}

/**
 * Sets the effect of a claimed call in the ledger and in `call`, before it is sent: that of a tool behind a gateway is known
 * only after its server was asked.
 */
export async function takeEffect(
  { pipelined }: ToolPort,
  call: ClaimedToolCall,
  effect: ToolEffect,
): Promise<void> {
  if (call.effect === effect) return;
  await pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.setEffect(call, effect));
  call.effect = effect;
}

/**
 * Stores how a claimed call ended, with its events and its audit entry, and returns the result for the workflow.
 * When another attempt has ended the call before, the end that it stored is kept and returned.
 * @throws HoldfastError `TURN_SETTLED` when the turn is over; StepStopped `lost` when another attempt or process has the call
 */
export async function endCall(
  dependencies: ToolPort,
  call: ClaimedToolCall,
  reported: ToolCallEnd,
): Promise<EndedCall> {
  const { pipelined, notifier, logger } = dependencies;
  const readPrices = () => pipelined(call.workspace_id, ({ credits }) => credits.readPrices());
  const end = await withUnreportedPrice(reported, call.tool, readPrices);
  const state = await pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.finish(end, call));
  if (!state) return { result: await readEnd(dependencies, call), stored: null };
  notifier.events(call.conversation_id);
  const fields = {
    turnId: call.turn_id,
    conversationId: call.conversation_id,
    toolCallId: call.id,
    tool: call.name,
  };
  const { status, error } = end;
  logger.info({ ...fields, status, error: error?.code, details: error?.details }, 'tool call ended');
  return { result: toWorkflowResult(call, { ...end, ended_at: new Date() }), stored: { end, state } };
}

/** The result of a call that has ended, for the workflow. */
export function toStoredResult(call: ClaimedToolCall): ExecuteToolCallResult {
  return toWorkflowResult(call, call);
}

type EndOfCall = Pick<ClaimedToolCall, 'status' | 'ended_at'> & {
  result?: string | null;
  error?: ErrorInfo | null;
};

function toWorkflowResult(
  { started_at: startedAt, ends_turn: endsTurn }: ClaimedToolCall,
  { status, result, error, ended_at: endedAt }: EndOfCall,
): ExecuteToolCallResult {
  return {
    status,
    resultPreview: toPreview(result ?? error?.message ?? ''),
    durationMs: toDurationMs(startedAt, endedAt) ?? 0,
    ...(status === 'blocked' && endsTurn ? { endsTurn: true } : {}),
    ...(error && isOverBudget(error) ? { endsTurn: true, error } : {}),
  };
}

async function readEnd(
  { pipelined }: ToolPort,
  { workspace_id, turn_id: turnId, iteration, index, ends_turn }: ClaimedToolCall,
): Promise<ExecuteToolCallResult> {
  const position = { turnId, iteration, index };
  const ended = await pipelined(workspace_id, ({ childTurns }) => childTurns.findCall(position));
  if (!ended) throw new HoldfastError('TURN_SETTLED', 'The turn is over.');
  if (!hasEnded(ended)) throw new StepStopped('lost');
  return toStoredResult({ ...ended, ends_turn });
}
