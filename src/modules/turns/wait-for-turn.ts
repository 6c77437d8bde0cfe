import { defaultLimits } from '../../domain/limits.ts';
import type { Turn, TurnDetails } from '../../domain/turn.ts';
import { createWakeSignal, type WakeSignal } from './follow/wake-signal.ts';
import { readTurn } from './read-turn.ts';
import { submitTurn, type TurnSubmission } from './submit-turn.ts';
import { defaultTimings, type TurnDependencies, type TurnStarter } from './turn-dependencies.ts';

/**
 * How long after an event of the conversation a turn is read whose end was not announced, in milliseconds. Turns that
 * were cancelled while they were queued announce events only.
 */
const unannouncedMs = 250;

/**
 * Submits a turn and reads it when it has ended or waits for people, when its deadline has passed or when the signal aborts.
 * While the turn runs it is not read, except after events of its conversation that were followed by no announcement of its end.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT`, `TURN_RUNNING` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function submitAndWait(
  dependencies: TurnDependencies,
  actor: TurnStarter,
  { signal, ...submission }: TurnSubmission & { signal: AbortSignal },
): Promise<{ accepted: boolean; turn: TurnDetails }> {
  const wakeSignal = createWakeSignal(signal);
  // Before the turn is stored, so that its end cannot come earlier.
  const stopListening = listenForEnd(dependencies, submission, wakeSignal);
  try {
    const { accepted, turn } = await submitTurn(dependencies, actor, submission);
    // A turn that was stored before may have ended.
    if (!accepted) wakeSignal.notify();
    return { accepted, turn: await readEnd(dependencies, actor, { turn, wakeSignal, signal }) };
  } finally {
    stopListening();
  }
}

function listenForEnd(
  { wakeups }: Pick<TurnDependencies, 'wakeups'>,
  { turnId, conversationId }: Pick<TurnSubmission, 'turnId' | 'conversationId'>,
  wakeSignal: WakeSignal,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const ringLater = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      wakeSignal.notify();
    }, unannouncedMs);
  };
  const undo = [wakeups.onEvents(turnId, wakeSignal.notify), wakeups.onEvents(conversationId, ringLater)];
  return () => {
    clearTimeout(timer);
    for (const stop of undo) stop();
  };
}

interface WaitedTurn {
  turn: Turn;
  wakeSignal: WakeSignal;
  signal: AbortSignal;
}

/** A queued turn has no deadline yet and is waited for as long as a turn takes by default. */
async function readEnd(
  dependencies: Pick<TurnDependencies, 'database' | 'wakeups' | 'timings'>,
  actor: TurnStarter,
  { turn, wakeSignal, signal }: WaitedTurn,
): Promise<TurnDetails> {
  const { wakeups, timings } = dependencies;
  const { pollMs } = { ...defaultTimings, ...timings };
  const queuedUntil = Date.now() + defaultLimits.turnTimeoutMs;
  const toRestMs = ({ deadlineAt }: Turn) =>
    (deadlineAt === null ? queuedUntil : Date.parse(deadlineAt)) - Date.now();
  for (let known = turn; ;) {
    const restMs = Math.max(0, toRestMs(known));
    await wakeSignal.wait(wakeups.isListening() ? restMs : Math.min(pollMs, restMs));
    const details = await readTurn(dependencies, actor, turn.id);
    const isOver = details.outcome !== null || details.status === 'waiting_for_approval';
    if (isOver || signal.aborted || toRestMs(details) <= 0) return details;
    known = details;
  }
}
