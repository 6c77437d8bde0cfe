import type { StepRepositories } from '../step-dependencies.ts';
import { throwIfLost, type TurnHold } from '../turn-hold.ts';
import { closeOpenToolCalls } from '../tool/close-tool-calls.ts';

/**
 * Takes the messages that steer a turn before a model call, and ends the calls of earlier iterations that are still open. The
 * turn and those calls are locked first, since the events of either lock the conversation: the end of a call locks its call
 * before the conversation too.
 * @throws StepStopped `lost` when another process holds the turn: the calls are running there
 */
export async function takeSteering(
  repositories: Pick<StepRepositories, 'answers' | 'toolCalls' | 'steering' | 'actions' | 'credits'>,
  { turnId, iteration, hold }: { turnId: string; iteration: number; hold?: TurnHold | undefined },
) {
  const turn = await repositories.answers.lockTurn(turnId);
  if (turn) throwIfLost(hold, turn);
  await repositories.toolCalls.listOpen(turnId, iteration - 1);
  const taken = await repositories.steering.take(turnId);
  await closeOpenToolCalls(repositories, turnId, iteration - 1);
  return taken;
}
