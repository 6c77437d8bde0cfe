import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { TakenMessage } from '../../src/modules/turns/messages/steering-repository.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { toSettleReserveMs } from '../../src/domain/limits.ts';
import { toSummaryMessage, type ContextMessage } from '../../src/domain/model-context.ts';
import type { CallModelInput, CallModelResult } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { noteTaken, takeTurn, type TurnHold } from '../turn-hold.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';
import { toCallModelResult } from './call-model-result.ts';
import { completeContext, type ContextCache } from './context-cache.ts';
import { takeSteering } from './take-steering.ts';

/** A turn at one of its model calls, with the messages that the model gets. */
export interface ModelStep {
  step: TurnStep;
  context: ContextMessage[];
  /** The messages at the end of the context that the turn has taken. Their turns end when the answer is stored. */
  taken: TakenMessage[];
}

interface StepRef extends Pick<
  CallModelInput,
  'workspaceId' | 'conversationId' | 'turnId' | 'iteration' | 'deadlineAt'
> {
  /** The hold of the process that makes the step; undefined for one that takes no turn. */
  hold?: TurnHold | undefined;
}

/**
 * Reads the input of a model call, after it has ended tool calls of earlier iterations that are still open. The context
 * of an answer that is stored already is empty.
 * @throws HoldfastError `TURN_SETTLED`, `NOT_FOUND`; StepStopped `cancelled`, `lost`
 */
export async function readModelStep(
  dependencies: ModelPort,
  cache: ContextCache,
  ref: StepRef,
): Promise<ModelStep> {
  const read = await readStep(dependencies, cache, ref);
  const { step } = read;
  await noteLateStart(dependencies, ref, step);
  if (step.stored) return read;
  if (step.status !== 'running')
    throw new HoldfastError('TURN_SETTLED', `The turn is ${step.status} already.`);
  if (step.cancelRequested) throw new StepStopped('cancelled');
  return read;
}

async function readStep(dependencies: ModelPort, cache: ContextCache, ref: StepRef): Promise<ModelStep> {
  const { workspaceId, conversationId, turnId, iteration, hold } = ref;
  const key = `${workspaceId}/${conversationId}`;
  const remembered = cache.find(key);
  const [, step, read] = await dependencies.pipelined(workspaceId, (repositories) =>
    Promise.all([
      takeTurn(repositories, turnId, hold),
      repositories.context.findStep(turnId, iteration, remembered.summary?.id),
      repositories.context.listContext(turnId, { iteration, afterOrdinal: remembered.throughOrdinal }),
    ]),
  );
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  noteTaken(hold, step);
  if (step.stored || step.status !== 'running' || step.cancelRequested)
    return { step, context: [], taken: [] };
  const isSettled = !step.steering && !hasOpenCalls(read, step);
  const known = isSettled ? completeContext(remembered, read, step.start) : null;
  const { context, taken, ...state } = known
    ? { context: known, taken: [] }
    : await readAnew(dependencies, ref);
  const current = { ...step, ...state };
  cache.remember(key, context, current.start);
  return { step: current, context, taken };
}

/** Ends what is still open, and takes the messages that steer the turn, in the transaction that reads the context. */
async function readAnew(dependencies: ModelPort, ref: StepRef) {
  const { workspaceId, turnId, iteration, hold } = ref;
  const { step, read, taken } = await dependencies.transact(workspaceId, async (repositories) => {
    const taken = await takeSteering(repositories, { turnId, iteration, hold });
    const step = await repositories.context.findStep(turnId, iteration);
    return { step, read: await repositories.context.listContext(turnId, { iteration }), taken };
  });
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  const { start, steered, status, cancelRequested } = step;
  const schema = taken.findLast(({ responseSchema }) => responseSchema !== null)?.responseSchema;
  const context = withTaken([...toSummaryMessage(start), ...read], { taken, iteration });
  const state = { start, steered, status, cancelRequested, responseSchema: schema ?? step.responseSchema };
  return { context, taken, ...state };
}

/** Returns a context that ends with messages which the turn has taken before the model call of an iteration. */
export function withTaken(
  context: ContextMessage[],
  { taken, iteration }: { taken: TakenMessage[]; iteration: number },
): ContextMessage[] {
  const last = context.at(-1);
  if (!last) return context;
  const { turnOrdinal, firstOrdinal } = last;
  const place = { turnOrdinal, firstOrdinal, iteration: iteration - 1, role: 'user' as const };
  const rest = { providerContent: null, refused: null, toolCalls: null };
  return [...context, ...taken.map(({ text, parts }) => ({ ...place, text, parts, ...rest }))];
}

function hasOpenCalls(context: ContextMessage[], { ordinal }: TurnStep): boolean {
  const calls = context
    .filter(({ turnOrdinal }) => turnOrdinal === ordinal)
    .flatMap(({ toolCalls }) => toolCalls ?? []);
  return calls.some(({ status }) => status === 'requested' || status === 'started');
}

/** A stored deadline that is so much too early stays, since most turns start that late; in milliseconds. */
const deadlineAccuracyMs = 1_000;

/** The stored deadline counts from the start of the turn; the time of its steps counts from the first of them. */
async function noteLateStart(
  { pipelined }: ModelPort,
  { workspaceId, turnId, iteration, deadlineAt }: StepRef,
  step: TurnStep,
): Promise<void> {
  const endsAt = Math.round(deadlineAt + toSettleReserveMs(step.timeoutMs));
  if (iteration > 1 || step.status !== 'running' || step.deadlineAt + deadlineAccuracyMs >= endsAt) return;
  await pipelined(workspaceId, ({ context }) => context.extendDeadline(turnId, endsAt));
}

/** The error of an attempt that has not seen what another attempt has stored, such as a message that it has taken. */
export const overtaken = new HoldfastError('SERVICE_UNAVAILABLE', 'Another attempt was ahead of this one.', {
  retryAfterMs: 1,
});

/**
 * Reads the answer that another attempt stored for this iteration.
 * @throws HoldfastError `TURN_SETTLED`; StepStopped `lost` when another process has taken the turn since the step was read
 */
export async function readStoredResult(
  { pipelined, getVersion, tools }: ModelPort,
  { workspaceId, turnId, iteration }: StepRef,
  { agentVersionId, heldBy }: TurnStep,
): Promise<CallModelResult> {
  const version = await getVersion(workspaceId, agentVersionId);
  const [step, toolCalls] = await pipelined(workspaceId, (repositories) =>
    Promise.all([
      repositories.context.findStep(turnId, iteration),
      repositories.toolCalls.listOfIteration(turnId, iteration),
    ]),
  );
  if (step?.status === 'running' && step.heldBy !== heldBy) throw new StepStopped('lost');
  if (step && !step.stored && step.status === 'running') throw overtaken;
  if (!step?.stored) throw new HoldfastError('TURN_SETTLED', `The turn is ${step?.status ?? 'gone'}.`);
  const outcome = toolCalls.length === 0 ? step.outcome : null;
  return toCallModelResult({ ...step.stored, outcome, toolCalls }, version, tools.summarize);
}
