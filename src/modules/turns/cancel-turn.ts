import type { TopTurns } from './request-cancel.ts';
import { createTurnRepository } from './turn-repository.ts';
import { authorizeViewer, refuseOtherPerson } from '../../domain/authorize.ts';
import type { Viewer } from '../../domain/actor.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import type { Turn } from '../../domain/turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

type CancelDependencies = Pick<TurnDependencies, 'database' | 'notifier' | 'cancelTurn' | 'logger'>;

/**
 * Cancels a turn for its caller. A queued turn ends at once; a running one is noted, and its workflow and the
 * workers that run its steps are notified. `running` says whether the turn has yet to stop.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for the turn of another person, and for a run of a routine without the right to
 * control it
 */
export async function cancelTurn(
  dependencies: CancelDependencies,
  actor: Viewer,
  turnId: string,
): Promise<{ turn: Turn; running: boolean }> {
  const { database, notifier } = dependencies;
  const { workspaceId, actsFor = null, reach = 'own' } = actor;
  await requireSeen(database, actor, { kind: 'turn', id: turnId });
  const { turn, running, stopping } = await database.transact(workspaceId, async (query) => {
    const turns = createTurnRepository(query);
    if (actsFor !== null) refuseOtherPerson({ actsFor, reach }, await turns.getPerson(turnId));
    if (await turns.isRun(turnId)) authorizeViewer(actor, 'routines.control');
    return turns.requestCancel(turnId);
  });
  // The workflows of the turns below are cancelled by the one above them.
  if (running) await stopTurns(dependencies, { stepsOf: stopping, workflowsOf: [turnId] });
  else notifier.events(turn.conversationId);
  return { turn, running };
}

/** Cancels turns whose answers are no longer needed, with all turns below them. */
export async function cancelTurns(
  dependencies: CancelDependencies,
  { workspaceId }: TurnPrincipal,
  top: TopTurns,
): Promise<void> {
  const stopping = await dependencies.database.pipelined(workspaceId, (query) =>
    createTurnRepository(query).requestCancelOfTree(top),
  );
  await stopTurns(dependencies, { stepsOf: stopping, workflowsOf: stopping });
}

/** A workflow that could not be notified reads the stored request in its next step. */
export async function stopTurns(
  {
    notifier,
    cancelTurn: cancelWorkflow,
    logger,
  }: Pick<CancelDependencies, 'notifier' | 'cancelTurn' | 'logger'>,
  { stepsOf, workflowsOf }: { stepsOf: string[]; workflowsOf: string[] },
): Promise<void> {
  for (const turnId of stepsOf) notifier.stop(turnId);
  const notifyWorkflow = async (turnId: string) => {
    try {
      await cancelWorkflow(turnId);
    } catch (error) {
      logger.warn({ err: error, turnId }, 'the cancel request is stored, but the workflow was not told');
    }
  };
  await Promise.all(workflowsOf.map(notifyWorkflow));
}
