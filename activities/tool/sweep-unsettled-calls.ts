import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { UnsettledCall } from '../../src/modules/turns/calls/unsettled-call-repository.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { SweepCounts } from '../../src/contract/sweep-steps.ts';
import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../src/platform/work/sweep-rows.ts';
import { repeatCall } from './tool-call.ts';
import { toAnsweredEnd, toUnknownEnd, withEarlierAttempts } from './tool-call-ends.ts';

/** How often a call is made again before its outcome stays unknown. */
const maximumAttempts = 5;
/** The longest time of one attempt, in milliseconds: shorter than that of the sweep. */
const longestCallMs = 20_000;

/**
 * Makes calls again, with their idempotency keys, whose outcome was unknown when their turn ended and whose tools allow it
 * by `settings.settleAfterMs`. Each attempt is stored in the ledger and follows the rules and approvals of the call.
 */
export function sweepUnsettledCalls(dependencies: RepairDependencies, run: SweepRun): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => dependencies.unsettledCalls.takeDue(sweepGroupSize),
      toId: ({ id }) => id,
      sweepRow: (unsettled) => settleCall(dependencies, unsettled),
    },
    run,
  );
}

async function settleCall(dependencies: RepairDependencies, unsettled: UnsettledCall): Promise<void> {
  const { pipelined, notifier, logger } = dependencies;
  const { id, workspaceId } = unsettled;
  const call = await pipelined(workspaceId, (repositories) => repositories.unsettledCalls.find(id));
  if (!call) return;
  const end = await askAgain(dependencies, call, unsettled);
  if (!end) return;
  const event = {
    type: 'tool.settled',
    payload: {
      ...{ toolCallId: id, iteration: call.iteration, index: call.index, name: call.name },
      ...{ status: end.status === 'succeeded' ? end.status : ('unknown' as const), attempts: call.attempts },
      ...(end.error ? { error: end.error } : {}),
    },
  } as const;
  const isStored = await pipelined(workspaceId, (repositories) =>
    repositories.unsettledCalls.settle({ ...end, event }),
  );
  if (!isStored) return;
  notifier.events(call.conversation_id);
  const { status } = end;
  logger.info({ turnId: call.turn_id, toolCallId: id, tool: call.name, status }, 'tool call settled');
}

/** Returns the outcome, which is unknown when no later attempt will find it; null when another attempt follows. */
async function askAgain(
  dependencies: RepairDependencies,
  call: ClaimedToolCall,
  { settleAttempts }: UnsettledCall,
): Promise<ToolCallEnd | null> {
  try {
    const outcome = await repeatCall(dependencies, call, await toTimeout(dependencies, call));
    if ('end' in outcome) return withEarlierAttempts(call, outcome.end);
    if ('actionId' in outcome || outcome.status === 'waits')
      return toUnknownEnd(call, 'a later attempt would have to wait for a person');
    return withEarlierAttempts(call, toAnsweredEnd(call, outcome));
  } catch (error) {
    // The call needs an approval now, which cannot be requested, since the turn has ended.
    const isFinal = error instanceof HoldfastError && error.code === 'TURN_SETTLED';
    if (!isFinal && settleAttempts < maximumAttempts) {
      dependencies.logger.warn({ err: error, toolCallId: call.id }, 'a tool call is still not settled');
      return null;
    }
    const reason = error instanceof Error ? toPreview(error.message, 300) : String(error);
    return toUnknownEnd(call, `it was asked for ${settleAttempts} times without an answer (${reason})`);
  }
}

async function toTimeout({ getVersion }: RepairDependencies, call: ClaimedToolCall): Promise<number> {
  const { limits } = await getVersion(call.workspace_id, call.agent_version_id);
  const ownMs = call.tool?.settings?.timeoutMs ?? limits.activityTimeoutMs ?? defaultLimits.activityTimeoutMs;
  return Math.min(ownMs, longestCallMs);
}
