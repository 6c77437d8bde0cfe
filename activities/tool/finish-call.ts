import { toDurationMs } from '../../src/domain/duration.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { TurnState } from '../../src/modules/turns/turn-state.ts';
import { isOverBudget } from './reserve-tool-call.ts';
import { toStoredResult } from './claimed-call.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { withUnreportedPrice } from './tool-price.ts';

/** The result of an ended call; `stored` is null when another attempt had stored an end before. */
export interface EndedCall {
  result: ExecuteToolCallResult;
  stored: { end: ToolCallEnd; state: TurnState } | null;
}

/**
 * Stores how a claimed call ended, with its events and its audit entry, and returns the result for the workflow.
 * When another attempt has ended the call before, the end that it stored is kept and returned.
 * @throws HoldfastError `TURN_SETTLED` when the turn is over
 */
export async function finishCall(
  dependencies: StepDependencies,
  call: ClaimedToolCall,
  reported: ToolCallEnd,
): Promise<EndedCall> {
  const { pipelined, notifier, logger } = dependencies;
  const readPrices = () => pipelined(call.workspace_id, ({ credits }) => credits.readPrices());
  const end = await withUnreportedPrice(reported, call.tool, readPrices);
  const state = await pipelined(call.workspace_id, ({ toolCalls }) => toolCalls.finish(end));
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
  return { result: toResult(call, end), stored: { end, state } };
}

function toResult(call: ClaimedToolCall, end: ToolCallEnd): ExecuteToolCallResult {
  return {
    status: end.status,
    resultPreview: toPreview(end.result ?? end.error?.message ?? ''),
    durationMs: toDurationMs(call.started_at, new Date()) ?? 0,
    ...(end.status === 'blocked' && call.ends_turn ? { endsTurn: true } : {}),
    ...(end.error && isOverBudget(end.error) ? { endsTurn: true, error: end.error } : {}),
  };
}

async function readEnd(
  { pipelined }: StepDependencies,
  { workspace_id, turn_id: turnId, iteration, index, ends_turn }: ClaimedToolCall,
): Promise<ExecuteToolCallResult> {
  const position = { turnId, iteration, index };
  const ended = await pipelined(workspace_id, ({ childTurns }) => childTurns.findCall(position));
  if (!ended) throw new HoldfastError('TURN_SETTLED', 'The turn is over.');
  return toStoredResult({ ...ended, ends_turn });
}
