import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { HoldfastError } from '../src/domain/errors.ts';
import type { ModelAnswer, ModelCall } from '../src/domain/model.ts';
import { toModelMessages, type ContextMessage } from '../src/domain/model-context.ts';
import type { AgentVersion } from '../src/domain/agent.ts';
import type { CallModelInput, CallModelResult } from '../src/domain/turn-steps.ts';
import type { TurnStep } from '../src/db/repositories/turn-context.ts';
import { toCallModelResult } from './call-model-result.ts';
import { completeContext, type ContextCache, createContextCache } from './context-cache.ts';
import { closeOpenToolCalls } from './close-tool-calls.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { StepStopped } from './failures.ts';
import { startNextTurn } from './start-next-turn.ts';
import { toNewAnswer } from './new-answer.ts';
import { runStep } from './run-step.ts';
import { withTimeLimit } from './time-limit.ts';
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
      // An attempt that comes too late must not void what an earlier one has streamed.
      signal.throwIfAborted();
      const messages = toModelMessages(context);
      const answer = await answerStep(dependencies, { input, step, version, signal, messages });
      return storeStep(dependencies, { input, step, version, answer });
    });
}

/** Reads what the call needs. Tool calls of earlier iterations that nobody ended are ended first. */
async function readStep(dependencies: ActivityDependencies, cache: ContextCache, input: CallModelInput) {
  const { workspaceId, conversationId, turnId, iteration } = input;
  const key = `${workspaceId}/${conversationId}`;
  const remembered = cache.find(key);
  const [step, read] = await dependencies.atOnce(workspaceId, (repositories) =>
    Promise.all([
      repositories.context.findStep(turnId, iteration),
      repositories.context.listContext(turnId, remembered.throughOrdinal),
    ]),
  );
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  if (step.stored || step.status !== 'running') return { step, context: [] };
  const known = hasOpenCalls(read, step) ? null : completeContext(remembered, read);
  const context = known ?? (await readAnew(dependencies, input));
  cache.remember(key, context);
  return { step, context };
}

function readAnew(dependencies: ActivityDependencies, { workspaceId, turnId, iteration }: CallModelInput) {
  return dependencies.transact(workspaceId, async (repositories) => {
    await closeOpenToolCalls(repositories, turnId, iteration - 1);
    return repositories.context.listContext(turnId);
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
    const answer = await withTimeLimit({ timeoutMs: input.timeoutMs, signal }, (limited) =>
      callLanguageModel(toModelCall({ ...options, signal: limited }, stream.push)),
    );
    await stream.close();
    return answer;
  } catch (error) {
    await stream.flush();
    throw isTimeout(error) ? toModelTimeout(input, attempt) : error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof StepStopped && error.reason === 'timeout';
}

/** A model that is slow is likely slow again, and each attempt is paid: one more is enough. */
function toModelTimeout({ timeoutMs }: CallModelInput, attempt: number): HoldfastError {
  const message = `The model did not finish its answer within ${timeoutMs} ms.`;
  return new HoldfastError('MODEL_UNAVAILABLE', message, { retryable: attempt < 2 });
}

function toModelCall(
  { input, version, signal, messages }: AnswerOptions,
  onTextDelta: (text: string) => void,
): ModelCall {
  const withheld = input.tools === 'withheld';
  const tools = version.tools.filter((tool) => tool.settings?.enabled !== false);
  return {
    model: version.model,
    instructions: withheld ? `${version.instructions}\n\n${withheldNote}` : version.instructions,
    messages,
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
    toolChoice: withheld ? 'none' : 'auto',
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
  if (next) await startNextTurn(engine, next, logger);
  if (!stored) return readStoredResult(dependencies, input, step);
  notifier.events(step.conversationId);
  const { turnId, conversationId, iteration } = input;
  const { outcome, usage, answeredBy } = answer;
  logger.info({ turnId, conversationId, iteration, model: answeredBy, usage, outcome }, 'model answered');
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
