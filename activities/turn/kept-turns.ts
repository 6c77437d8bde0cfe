import { LRUCache } from 'lru-cache';
import type { TurnState } from '../../src/modules/turns/turn-state.ts';
import type { RunTurnInput } from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import type { TurnHold } from '../turn-hold.ts';
import { createTurnMemory, type TurnMemory } from './turn-memory.ts';

/** How long a turn is kept for its next part, which begins with the next workflow task; in milliseconds. */
const keptMs = 10_000;

/** The most turns that a worker keeps; the next part of any other turn reads the turn. */
const mostTurns = 1_000;

type PlaceOfTurn = Pick<RunTurnInput, 'workspaceId' | 'turnId' | 'iteration'>;

/** Keeps what a part of a turn knows for the next part, which most often runs in the same process. */
export function createKeptTurns() {
  // Without the timers, a turn whose next part runs in another process would stay until many others came.
  const turns = new LRUCache<string, TurnMemory>({ max: mostTurns, ttl: keptMs, ttlAutopurge: true });
  return {
    keep: (turnId: string, memory: TurnMemory): void => {
      turns.set(turnId, memory);
    },

    /**
     * Returns what the part before knew of a turn, after a look whether it still holds: a message, a cancel request or another
     * attempt may have come in between. The process holds the turn then. Returns an empty memory for a turn that has to be read.
     */
    take: async (
      { pipelined }: Pick<StepDependencies, 'pipelined'>,
      { workspaceId, turnId, iteration }: PlaceOfTurn,
      hold: TurnHold,
    ): Promise<TurnMemory> => {
      const memory = turns.get(turnId);
      turns.delete(turnId);
      const known = memory?.find(iteration);
      if (!memory || !known) return createTurnMemory(workspaceId);
      const { steered } = known.step;
      const state = await pipelined(workspaceId, ({ context }) =>
        context.holdUnchanged({ turnId, iteration, steered, heldBy: hold.id }),
      ).catch((): TurnState | null => null);
      hold.isTaken = state !== null;
      if (state) memory.confirmed(state, hold.id);
      else memory.forget();
      return memory;
    },
  };
}

export type KeptTurns = ReturnType<typeof createKeptTurns>;
