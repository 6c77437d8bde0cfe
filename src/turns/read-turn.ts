import { createTurnRepository } from '../db/turns/turn-repository.ts';
import type { TurnDetails } from '../domain/turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

/**
 * Reads a turn with its tool calls.
 * @throws HoldfastError `NOT_FOUND`
 */
export function readTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  { workspaceId }: TurnPrincipal,
  turnId: string,
): Promise<TurnDetails> {
  return database.pipelined(workspaceId, (query) => createTurnRepository(query).getTurnDetails(turnId));
}
