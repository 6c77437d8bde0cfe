import type { StepRepositories } from '../step-dependencies.ts';
import { closeOpenToolCalls } from '../tool/close-tool-calls.ts';

/**
 * Takes the messages that steer a turn before a model call, and ends the calls of earlier iterations that are still open. The
 * turn and those calls are locked first, since the events of either lock the conversation: the end of a call locks its call
 * before the conversation too.
 */
export async function takeSteering(
  repositories: Pick<StepRepositories, 'answers' | 'toolCalls' | 'steering' | 'actions' | 'credits'>,
  { turnId, iteration }: { turnId: string; iteration: number },
) {
  await repositories.answers.lockTurn(turnId);
  await repositories.toolCalls.listOpen(turnId, iteration - 1);
  const taken = await repositories.steering.take(turnId);
  await closeOpenToolCalls(repositories, turnId, iteration - 1);
  return taken;
}
