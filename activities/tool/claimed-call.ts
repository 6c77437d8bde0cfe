import { toDurationMs } from '../../src/domain/duration.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { toPreview } from '../../src/domain/text.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { ToolEffect } from '../../src/domain/tool.ts';
import type { ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import type {
  ClaimedToolCall,
  ToolCallPosition,
} from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { isOverBudget } from './reserve-tool-call.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';

/**
 * Claims a call for this attempt, which `claimId` names, and tells those who follow the turn.
 * @throws HoldfastError `TURN_SETTLED` when the turn is over or has no such call
 */
export async function claimCall(
  { pipelined, notifier }: StepDependencies,
  { workspaceId, ...position }: ToolCallPosition & { workspaceId: string },
  claimId = newId(),
): Promise<ClaimedToolCall> {
  const call = await pipelined(workspaceId, ({ toolCalls }) => toolCalls.claim(position, claimId));
  if (!call) throw new HoldfastError('TURN_SETTLED', 'The turn is over, or has no such tool call.');
  notifier.events(call.conversation_id);
  return call;
}

/** Returns whether a call had ended before it was claimed; then the stored result is returned and nothing runs. */
export function hasEnded({ status_before: status }: ClaimedToolCall): boolean {
  return status !== 'requested' && status !== 'started';
}

/** The result of a call that has ended, for the workflow. */
export function toStoredResult(call: ClaimedToolCall): ExecuteToolCallResult {
  return {
    status: call.status,
    resultPreview: toPreview(call.result ?? call.error?.message ?? ''),
    durationMs: toDurationMs(call.started_at, call.ended_at) ?? 0,
    ...(call.status === 'blocked' && call.ends_turn ? { endsTurn: true } : {}),
    ...(call.error && isOverBudget(call.error) ? { endsTurn: true, error: call.error } : {}),
  };
}

/**
 * Stops before anything was sent, and releases the claim, so that the outcome of the call is known.
 * @throws StepStopped always
 */
export async function releaseAndStop(
  { pipelined }: StepDependencies,
  call: ClaimedToolCall,
  signal: AbortSignal,
): Promise<never> {
  await pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.release(call));
  signal.throwIfAborted();
  throw new StepStopped('cancelled');
}

/**
 * Sets the effect of a claimed call in the ledger and in `call`, before it is sent: that of a tool behind a gateway is known
 * only after its server was asked.
 */
export async function takeEffect(
  { pipelined }: StepDependencies,
  call: ClaimedToolCall,
  effect: ToolEffect,
): Promise<void> {
  if (call.effect === effect) return;
  await pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.setEffect(call.id, effect));
  call.effect = effect;
}
