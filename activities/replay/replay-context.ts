import { wholeConversation, type StartOfTurn } from '../../src/domain/compaction.ts';
import { toContextBudget, toFullness, type ContextBudget } from '../../src/domain/context-budget.ts';
import { withReferences, type ContextMessage } from '../../src/domain/model-context.ts';
import { leaveOut, planCompaction, withStart } from '../../src/domain/plan-compaction.ts';
import type { TurnVersion } from '../model/read-turn-version.ts';
import type { TurnToReplay } from './replayed-turn.ts';

/** A model call of a turn that is replayed. */
interface ReplayedModelCall {
  /** The messages of the turn so far. */
  said: ContextMessage[];
  iteration: number;
  running: TurnVersion;
}

/** The context of a model call of a replay, and the recorded compaction by which it was shortened; null for none. */
interface ReplayContext {
  context: ContextMessage[];
  start: StartOfTurn | null;
}

/** Returns the context that a model call of a replay sees, after the compaction that it takes over is stored. */
export async function takeReplayContext(
  turn: TurnToReplay,
  call: ReplayedModelCall,
): Promise<ContextMessage[]> {
  const { context, start } = toReplayContext(turn, call);
  if (start) await turn.storeStart?.(start);
  return context;
}

/**
 * A model call of a replay sees the messages before the turn, and what was said in it. A compaction that was
 * recorded holds from the same model call on, also when the replay has called other tools by then: it concerns only
 * turns that both have in common. Where the context becomes too long before, the next recorded one is taken, and only after
 * the last of them the oldest turns are left out.
 */
function toReplayContext(turn: TurnToReplay, { said, iteration, running }: ReplayedModelCall): ReplayContext {
  const { version } = running;
  const { starts, fullest, tokenRatios, tokensPerByte } = turn.seen;
  // A model that has counted nothing in the conversation is taken to count like the recorded one.
  const room = toContextBudget(version, { [version.model]: tokensPerByte, ...tokenRatios });
  const own = said.concat(turn.steering.filter((one) => one.iteration < iteration));
  const inOrder = own.toSorted((one, other) => one.iteration - other.iteration);
  const whole = [...turn.context, ...inOrder];
  const due = starts.filter((start) => start.iteration <= iteration).length;
  const choices = [starts[due - 1] ?? null, ...starts.slice(due)].map((start) => ({
    context: start ? withStart(whole, start) : whole,
    start,
  }));
  const mostFull = version.compaction === 'off' ? Infinity : fullest;
  const fitting = choices.find(({ context }) => toFullness(context, room) <= mostFull);
  if (fitting) return fitting;
  const last = choices.at(-1) ?? { context: whole, start: null };
  return { ...last, context: toFitting(last.context, room) };
}

/** Leaves out the oldest turns of a context that is too long for the version that runs it. */
function toFitting(context: ContextMessage[], room: ContextBudget): ContextMessage[] {
  const plan = planCompaction(context, { mode: 'oldest_first', room, start: wholeConversation });
  return plan ? withReferences(leaveOut(context, plan.throughOrdinal), plan.referencesThrough) : context;
}
