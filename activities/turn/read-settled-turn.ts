import { toPreview } from '../../src/domain/text.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { readTurn } from '../../src/modules/turns/read-turn.ts';
import type { SettlePort } from '../step-dependencies.ts';
import { toActivityFailure } from '../../src/platform/activity/failures.ts';

/** Names a turn in its workspace. */
export interface TurnRef {
  workspaceId: string;
  turnId: string;
}

/** The part of a turn that goes into a workflow's result is limited: Temporal refuses a result over 2 MiB. */
const most = { answer: 200_000, toolCalls: 200, preview: 500 };

/** Reads a turn for a workflow's result: null until it is settled; results and errors of its calls as previews. */
export function createReadSettledTurn({ turnDependencies }: SettlePort) {
  return async (ref: TurnRef): Promise<TurnDetails | null> => {
    try {
      const turn = await readTurn(turnDependencies, ref, ref.turnId);
      return turn.outcome === null ? null : toBounded(turn);
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}

function toBounded(turn: TurnDetails): TurnDetails {
  return {
    ...turn,
    answer: turn.answer && toPreview(turn.answer, most.answer),
    toolCalls: turn.toolCalls.slice(0, most.toolCalls).map((call) => ({
      ...call,
      arguments: null,
      result: call.result && toPreview(call.result, most.preview),
      error: call.error && { code: call.error.code, message: toPreview(call.error.message, most.preview) },
    })),
  };
}
