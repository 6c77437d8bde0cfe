import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { HoldfastError } from '../src/domain/errors.ts';
import type { ModelAnswer, ModelCall } from '../src/domain/model.ts';
import { toModelMessages, type ContextMessage } from '../src/domain/model-context.ts';
import type { AgentVersion } from '../src/domain/agent.ts';
import type { CallModelInput, CallModelResult } from '../src/domain/turn-steps.ts';
import type { TurnStep } from '../src/db/repositories/turn-context.ts';
import { toCallModelResult } from './call-model-result.ts';
import { type ContextCache, createContextCache } from './context-cache.ts';
import { closeOpenToolCalls } from './close-tool-calls.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { StepStopped } from './failures.ts';
import { startNextTurn } from './start-next-turn.ts';
import { toNewAnswer } from './new-answer.ts';
import { runStep } from './run-step.ts';
import { createTextStream } from './stream-text.ts';

const withheldNote =
  'You have used all rounds of tool calls of this turn. Answer now, without tools, from what you have found so far, ' +
  'and say what is still open.';

/**
 * Calls the model for one iteration of a turn and stores its answer. An answer that is stored already is
 * returned as it is: no attempt pays twice for an answer that was finished.
 */
export function createCallModel(dependencies: ActivityDependencies) {
  const { wakeups } = dependencies;
  const cache = createContextCache();

  return (input: CallModelInput): Promise<CallModelResult> =>
    runStep({ ...input, wakeups, what: 'the model was answering' }, async (signal) => {
      const { step, context } = await readStep(dependencies, cache, input);
      if (step.stored) return readStoredResult(dependencies, input, step);
      if (step.status !== 'running')
        throw new HoldfastError('TURN_SETTLED', `The turn is ${step.status} already.`);
      if (step.cancelRequested) throw new StepStopped('cancelled');
      const version = await dependencies.getVersion(input.workspaceId, step.agentVersionId);
      const messages = toModelMessages(context);
      const answer = await answerStep(dependencies, { input, step, version, signal, messages });
      return storeStep(dependencies, { input, step, version, answer });
    });
}

/** Reads what the call needs. Tool calls of earlier iterations that nobody ended are ended first. */
async function readStep(dependencies: ActivityDependencies, cache: ContextCache, input: CallModelInput) {
  const { workspaceId, conversationId, turnId, iteration } = input;
  const known = cache.throughOrdinal(conversationId);
  const [step, read] = await dependencies.atOnce(workspaceId, (repositories) =>
    Promise.all([
      repositories.context.findStep(turnId, iteration),
      repositories.context.listContext(turnId, known),
    ]),
  );
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  if (step.stored || step.status !== 'running') return { step, context: [] };
  const closed = hasOpenCalls(read, step) ? await closeCalls(dependencies, input, known) : read;
  return { step, context: cache.complete(conversationId, closed, known) };
}

function closeCalls(dependencies: ActivityDependencies, input: CallModelInput, afterOrdinal: number) {
  const { workspaceId, turnId, iteration } = input;
  return dependencies.transact(workspaceId, async (repositories) => {
    await closeOpenToolCalls(repositories, turnId, iteration - 1);
    return repositories.context.listContext(turnId, afterOrdinal);
  });
}

function hasOpenCalls(context: ContextMessage[], { ordinal }: TurnStep): boolean {
  const calls = context
    .filter(({ turnOrdinal }) => turnOrdinal === ordinal)
    .flatMap(({ toolCalls }) => toolCalls ?? []);
  return calls.some(({ status }) => status === 'requested' || status === 'started');
}

interface AnswerOptions {
  input: CallModelInput;
  step: TurnStep;
  version: AgentVersion;
  signal: AbortSignal;
  messages: ModelCall['messages'];
}

async function answerStep(dependencies: ActivityDependencies, options: AnswerOptions): Promise<ModelAnswer> {
  const { input, step, signal } = options;
  const { appendChunks, notifier, logger, callLanguageModel } = dependencies;
  const attempt = Math.max(step.restarts * 1000 + Context.current().info.attempt, step.streamedAttempt + 1);
  const stream = createTextStream({
    workspaceId: input.workspaceId,
    position: {
      conversationId: step.conversationId,
      turnId: input.turnId,
      iteration: input.iteration,
      attempt,
    },
    appendChunks,
    notifier,
    onError: (error) =>
      logger.warn({ turnId: input.turnId, err: error }, 'a piece of the stream was not written'),
  });
  if (attempt > 1) stream.reset();
  try {
    const answer = await callLanguageModel(toModelCall(options, stream.push));
    signal.throwIfAborted();
    await stream.close();
    return answer;
  } catch (error) {
    await stream.flush();
    throw error;
  }
}

function toModelCall(
  { input, version, signal, messages }: AnswerOptions,
  onTextDelta: (text: string) => void,
): ModelCall {
  const withheld = input.tools === 'withheld';
  const offered = withheld ? [] : version.tools.filter((tool) => tool.settings?.enabled !== false);
  return {
    model: version.model,
    instructions: withheld ? `${version.instructions}\n\n${withheldNote}` : version.instructions,
    messages,
    tools: offered.map(({ name, description, schema }) => ({ name, description, schema })),
    idempotencyKey: createHash('sha256').update(`${input.turnId}\n${input.iteration}`).digest('hex'),
    signal,
    onTextDelta,
  };
}

interface StoreOptions {
  input: CallModelInput;
  step: TurnStep;
  version: AgentVersion;
  answer: ModelAnswer;
}

async function storeStep(
  dependencies: ActivityDependencies,
  options: StoreOptions,
): Promise<CallModelResult> {
  const { input, step, version } = options;
  const { atOnce, notifier, engine, logger, tools } = dependencies;
  const answer = toNewAnswer(options, tools);
  const [stored, next] = await atOnce(input.workspaceId, ({ answers }) =>
    Promise.all([
      answers.storeAnswer(answer),
      answer.outcome === null ? null : answers.promoteNextTurn(step.conversationId),
    ]),
  );
  if (!stored) return readStoredResult(dependencies, input, step);
  notifier.events(step.conversationId);
  const { turnId, conversationId, iteration } = input;
  const { outcome, usage, answeredBy } = answer;
  logger.info({ turnId, conversationId, iteration, model: answeredBy, usage, outcome }, 'model answered');
  if (next) await startNextTurn(engine, next, logger);
  return toCallModelResult(answer, version, tools.summarize);
}

/** What another attempt has stored of this iteration. */
async function readStoredResult(
  { atOnce, getVersion, tools }: ActivityDependencies,
  { workspaceId, turnId, iteration }: CallModelInput,
  { agentVersionId }: TurnStep,
): Promise<CallModelResult> {
  const version = await getVersion(workspaceId, agentVersionId);
  const [step, toolCalls] = await atOnce(workspaceId, (repositories) =>
    Promise.all([
      repositories.context.findStep(turnId, iteration),
      repositories.toolCalls.listOfIteration(turnId, iteration),
    ]),
  );
  if (!step?.stored) throw new HoldfastError('TURN_SETTLED', `The turn is ${step?.status ?? 'gone'}.`);
  const outcome = toolCalls.length === 0 ? step.outcome : null;
  return toCallModelResult({ ...step.stored, outcome, toolCalls }, version, tools.summarize);
}
