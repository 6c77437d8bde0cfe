import { toModelCostUsd } from '../../src/domain/price-table.ts';
import type { ReplayedTurn } from '../../src/domain/replay.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import { toKeptMessage } from '../../src/modules/replays/recorded/kept-texts.ts';
import { runTurnLoop, TurnStopped } from '../../src/contract/turn-loop.ts';
import type { TurnEnding } from '../../src/contract/turn-steps.ts';
import { createReplayGround } from './replay-ground.ts';
import type { LaneRun, TurnToReplay } from './replayed-turn.ts';
import type { ReplayServices } from './replay-services.ts';

/** A replayed turn, and the messages that it adds to its conversation. */
export interface TurnReplay {
  replayed: Omit<ReplayedTurn, 'unasked'>;
  messages: ContextMessage[];
}

/**
 * Runs a recorded turn again, by the loop of live turns over steps that store nothing.
 * @throws HoldfastError of the model when it does not answer
 */
export async function replayTurn(
  services: ReplayServices,
  lane: LaneRun,
  turn: TurnToReplay,
): Promise<TurnReplay> {
  const { ground, state } = createReplayGround(services, lane, turn);
  const startedAt = performance.now();
  const ending = await runToEnd(() => runTurnLoop(ground));
  const { outcome, error = null } = ending;
  // The answer of a turn that fails by its schema is what the model said.
  const isSaid = error === null || error.code === 'ANSWER_INVALID';
  return {
    messages: [...state.messages, ...turn.steering].toSorted((one, other) => one.iteration - other.iteration),
    replayed: {
      turnId: turn.turnId,
      message: toKeptMessage(turn.context.at(-1)?.text ?? ''),
      outcome: state.missed ? 'missed' : outcome,
      answer: isSaid ? state.answer : '',
      answerJson: state.answerJson,
      error,
      steps: state.steps,
      usage: state.usage,
      costUsd: toModelCostUsd(
        { ...lane.version.modelSettings, model: lane.version.model },
        state.usage,
        lane.prices,
      ),
      durationMs: Math.round(performance.now() - startedAt),
    },
  };
}

async function runToEnd(run: () => ReturnType<typeof runTurnLoop>): Promise<TurnEnding> {
  try {
    const { ending } = await run();
    if (!ending) throw new Error('a replayed turn was left to another ground');
    return ending;
  } catch (error) {
    if (error instanceof TurnStopped) return error.ending;
    throw error;
  }
}
