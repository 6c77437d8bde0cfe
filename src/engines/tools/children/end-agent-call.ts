import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../../domain/errors.ts';
import type { Turn } from '../../../domain/turn.ts';
import { toLostEnding } from '../../../domain/lost-turn.ts';
import { failedResult } from '../failed-result.ts';
import type {
  ChildCallDependencies,
  ChildCallEnd,
  ClaimedCallOf,
  EndingCall,
  WaitingChild,
} from './child-call.ts';

/** How often the turn of the other agent is read while the call waits for its end, in milliseconds. */
const pollMs = 300;

/** Ends a call of another agent with the answer of its turn, or with the reason why there is none, unless it waits. */
export async function endAgentCall(
  ending: EndingCall<'agent'>,
  dependencies: ChildCallDependencies,
): Promise<ChildCallEnd | WaitingChild> {
  const { call } = ending;
  const turn = await waitForTurn(dependencies, ending);
  const { outcome } = turn;
  if (turn.status === 'waiting_for_approval') return { status: 'waiting', turnId: turn.id };
  if (outcome === 'completed') return { status: 'succeeded', text: turn.answer ?? '' };
  const details = { turnId: turn.id, outcome, ...(turn.error ? { internal: turn.error.message } : {}) };
  if (outcome !== null) {
    const code = outcome === 'timed_out' ? 'TOOL_TIMED_OUT' : 'TOOL_FAILED';
    return failedResult(code, turn.answer ?? 'The agent ended without an answer.', details);
  }
  await dependencies.stopTurn(call.workspace_id, turn.id);
  return failedResult('TOOL_TIMED_OUT', `${call.name} did not answer in time and was stopped.`, details);
}

async function waitForTurn(
  dependencies: ChildCallDependencies,
  { call, input, signal }: EndingCall<'agent'>,
): Promise<Turn> {
  const until = Date.now() + input.waitMs;
  for (;;) {
    const turn = await readTurn(dependencies, call);
    if (turn.outcome !== null || turn.status === 'waiting_for_approval') return turn;
    const workflow = await dependencies.engine.findTurnWorkflow(turn.id);
    if (workflow === 'closed' || workflow === 'timed_out') return settleLost(dependencies, call, workflow);
    if (Date.now() >= until) return turn;
    await sleep(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function readTurn({ pipelined }: ChildCallDependencies, call: ClaimedCallOf<'agent'>): Promise<Turn> {
  const id = toChildTurnId(call);
  return pipelined(call.workspace_id, ({ turns }) => turns.getTurn(id));
}

function toChildTurnId({ child_turn_id: id, name }: ClaimedCallOf<'agent'>): string {
  if (id === null) throw new HoldfastError('INTERNAL', `The call of ${name} has no turn that answers it.`);
  return id;
}

/** Settles a turn whose workflow was ended by force and cannot do so itself. A turn that is settled already stays as it is. */
async function settleLost(
  dependencies: ChildCallDependencies,
  call: ClaimedCallOf<'agent'>,
  workflow: 'closed' | 'timed_out',
): Promise<Turn> {
  await dependencies.settleTurn({
    workspaceId: call.workspace_id,
    turnId: toChildTurnId(call),
    iterations: 0,
    ...toLostEnding(workflow),
  });
  return readTurn(dependencies, call);
}
