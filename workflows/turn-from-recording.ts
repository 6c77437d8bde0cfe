import { runRecordedTurn } from './activities.ts';
import type { TurnEnding } from '../src/contract/turn-steps.ts';
import { TurnStopped } from '../src/contract/turn-loop.ts';
import type { RunningTurn } from './running-turn.ts';
import { followClock } from './turn-clock.ts';
import { toCall } from './turn-in-activities.ts';

/** Runs a turn in one activity that has no tools: its calls get the recorded results of another turn. */
export async function runFromRecording(turn: RunningTurn): Promise<TurnEnding> {
  const { recordedFrom } = turn.input;
  if (recordedFrom === undefined) throw new Error('the turn names no recording');
  const [options, input] = toCall(turn, 1);
  const part = await followClock(turn, runRecordedTurn(options, { ...input, recordedFrom }));
  turn.details.partEnded(part);
  turn.progress.iteration = part.iteration;
  if (part.ending) return part.ending;
  throw new TurnStopped(part.stopped ?? { outcome: 'failed' });
}
