import { createTurnRepository } from '../db/turns/turn-repository.ts';
import { toRowScope } from '../domain/row-scope.ts';
import { findStuck } from '../db/stuck-workflow-repository.ts';
import type { Viewer } from '../domain/actor.ts';
import type { TurnDetails } from '../domain/turn.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

/**
 * Reads a turn with its tool calls.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function readTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  turnId: string,
): Promise<TurnDetails> {
  const [turn, stuck] = await database.pipelined(toRowScope(viewer), (query) =>
    Promise.all([createTurnRepository(query).getTurnDetails(turnId), findStuck(query, turnId)]),
  );
  return turn.outcome === null ? { ...turn, ...stuck } : turn;
}
