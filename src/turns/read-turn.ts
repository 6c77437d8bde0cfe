import { createTurnRepository } from '../db/turns/turn-repository.ts';
import { findStuck } from '../db/stuck-workflow-repository.ts';
import type { TurnDetails } from '../domain/turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

/**
 * Reads a turn with its tool calls.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function readTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  { workspaceId }: TurnPrincipal,
  turnId: string,
): Promise<TurnDetails> {
  const [turn, stuck] = await database.pipelined(workspaceId, (query) =>
    Promise.all([createTurnRepository(query).getTurnDetails(turnId), findStuck(query, turnId)]),
  );
  return turn.outcome === null ? { ...turn, ...stuck } : turn;
}
