import { createTurnRepository } from './turn-repository.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { findStuck } from '../../platform/work/stuck-workflow-repository.ts';
import type { Viewer } from '../../domain/actor.ts';
import { authorizeViewer } from '../../domain/authorize.ts';
import type { Turn, TurnDetails } from '../../domain/turn.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

/**
 * Reads a turn with its tool calls. One that stands for a run of a routine shows the run.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a run without the right to runs
 */
export async function readTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  turnId: string,
): Promise<TurnDetails> {
  const [turn, stuck, isRun] = await database.pipelined(toRowScope(viewer), (query) => {
    const turns = createTurnRepository(query);
    return Promise.all([turns.getTurnDetails(turnId), findStuck(query, turnId), turns.isRun(turnId)]);
  });
  if (isRun) authorizeViewer(viewer, 'routines.read');
  return turn.outcome === null ? { ...turn, ...stuck } : turn;
}

/**
 * Finds a turn, as {@link readTurn} does, without its tool calls.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a run without the right to runs
 */
export async function findTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  turnId: string,
): Promise<Turn> {
  const [turn, isRun] = await database.pipelined(toRowScope(viewer), (query) => {
    const turns = createTurnRepository(query);
    return Promise.all([turns.getTurn(turnId), turns.isRun(turnId)]);
  });
  if (isRun) authorizeViewer(viewer, 'routines.read');
  return turn;
}
