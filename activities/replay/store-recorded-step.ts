import { toCallEndEvent } from '../../src/domain/call-end-event.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { RecordedAnswer } from '../../src/domain/turn.ts';
import type { RecordedEnd } from '../../src/modules/turns/forks/recorded-step-repository.ts';
import type { NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import { startStoredTurn } from '../../src/modules/turns/start-stored-turn.ts';
import type { RunRecordedTurnInput } from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import type { AnsweredStep, ReplayedEnd } from './replayed-turn.ts';

type Dependencies = Pick<StepDependencies, 'pipelined' | 'notifier' | 'turnDependencies'>;

interface StepRef extends Pick<RunRecordedTurnInput, 'workspaceId' | 'conversationId' | 'turnId'> {
  /** How many messages that were sent while it ran the turn has taken. */
  steered: number;
  /** The process that held the turn when its steps began. */
  heldBy: string | null;
}

/**
 * Stores an answer and the recorded results of its calls, in one transaction.
 * @throws HoldfastError `TURN_SETTLED` when the turn is over
 */
export async function storeRecordedStep(
  { pipelined, notifier, turnDependencies }: Dependencies,
  { workspaceId, conversationId, turnId, steered, heldBy }: StepRef,
  { answer, ends }: AnsweredStep,
): Promise<void> {
  const { iteration, outcome } = answer;
  const [state, next] = await pipelined(workspaceId, ({ answers, recordedSteps }) =>
    Promise.all([
      answers.storeAnswer({ ...answer, steered, heldBy, yields: false }),
      outcome === null ? null : answers.promoteNextTurn(conversationId),
      ...ends.map((end, index) => endCall(recordedSteps, answer.toolCalls[index], { iteration, end })),
    ]),
  );
  if (!state)
    throw new HoldfastError('TURN_SETTLED', 'The turn is over, or another attempt has stored the step.');
  if (outcome === null) notifier.events(conversationId);
  else notifier.ended({ conversationId, turnId });
  if (next) await startStoredTurn(turnDependencies, next);
}

async function endCall(
  { endCall: store }: { endCall: (end: RecordedEnd) => Promise<void> },
  call: NewToolCall | undefined,
  { iteration, end }: { iteration: number; end: ReplayedEnd },
): Promise<void> {
  if (!call) throw new Error('a result has no call');
  const { status, result, resultBytes, error, recordedCallId } = end;
  await store({
    ...{ id: call.id, status, result, resultBytes, error, recordedCallId },
    answeredBy: end.answeredBy as RecordedAnswer,
    event: toCallEndEvent({ ...call, ...end, id: call.id, iteration, durationMs: 0 }),
  });
}
