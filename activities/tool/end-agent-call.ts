import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import type { Turn } from '../../src/domain/turn.ts';
import type { TurnOutcome } from '../../src/domain/turn-status.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import { cancelTurns } from '../../src/turns/cancel-turn.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import type { EndingCall } from './end-workflow-call.ts';
import { createSettleTurn } from '../turn/settle-turn.ts';
import { toAnsweredEnd, toFailedEnd } from './tool-call-ends.ts';

/** How often a turn is looked at that somebody else runs, in milliseconds. */
const pollMs = 300;

/** How a call of another agent ends: with the answer of its turn, or with what kept it from one. */
export async function endAgentCall(
  dependencies: ActivityDependencies,
  ending: EndingCall,
): Promise<ToolCallEnd> {
  const { call } = ending;
  const turn = await waitForTurn(dependencies, ending);
  if (turn.outcome === 'completed') {
    return toAnsweredEnd(call, { status: 'succeeded', text: turn.answer ?? '' });
  }
  if (turn.outcome !== null) return toFailedEnd(call, toFailure(turn, turn.outcome));
  await cancelTurns(dependencies.turns, { workspaceId: call.workspace_id }, { id: turn.id });
  return toFailedEnd(call, {
    code: 'TOOL_TIMED_OUT',
    message: `${call.name} did not answer in time and was stopped.`,
    details: { turnId: turn.id, outcome: null },
  });
}

async function waitForTurn(
  dependencies: ActivityDependencies,
  { call, input, signal }: EndingCall,
): Promise<Turn> {
  const until = Date.now() + input.waitMs;
  for (;;) {
    const turn = await readTurn(dependencies, call);
    if (turn.outcome !== null) return turn;
    const workflow = await dependencies.engine.findTurnWorkflow(turn.id);
    if (workflow === 'closed') return settleLost(dependencies, call);
    if (Date.now() >= until) return turn;
    await sleep(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function readTurn({ pipelined }: ActivityDependencies, call: ClaimedToolCall): Promise<Turn> {
  const id = toChildTurnId(call);
  return pipelined(call.workspace_id, ({ turns }) => turns.getTurn(id));
}

function toChildTurnId({ child_turn_id: id, name }: ClaimedToolCall): string {
  if (id === null) throw new HoldfastError('INTERNAL', `The call of ${name} has no turn that answers it.`);
  return id;
}

/** A turn whose workflow was ended by force will never say so itself. One that was just settled stays as it is. */
async function settleLost(dependencies: ActivityDependencies, call: ClaimedToolCall): Promise<Turn> {
  await createSettleTurn(dependencies)({
    workspaceId: call.workspace_id,
    turnId: toChildTurnId(call),
    iterations: 0,
    outcome: 'failed',
    error: { code: 'INTERNAL', message: 'The turn was ended by force before it could say what happened.' },
  });
  return readTurn(dependencies, call);
}

const codes: Partial<Record<TurnOutcome, ErrorInfo['code']>> = { timed_out: 'TOOL_TIMED_OUT' };

function toFailure(turn: Turn, outcome: TurnOutcome): ErrorInfo {
  return {
    code: codes[outcome] ?? 'TOOL_FAILED',
    message: turn.answer ?? 'The agent ended without an answer.',
    details: { turnId: turn.id, outcome },
  };
}
