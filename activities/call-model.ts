import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { HoldfastError } from '../src/domain/errors.ts';
import type { ModelAnswer, ModelCall } from '../src/domain/model.ts';
import { toModelMessages } from '../src/domain/model-context.ts';
import type { AgentVersion } from '../src/domain/agent.ts';
import type { CallModelInput, CallModelResult } from '../src/domain/turn-steps.ts';
import type { TurnStep } from '../src/db/repositories/turn-context.ts';
import { toCallModelResult } from './call-model-result.ts';
import { closeOpenToolCalls } from './close-tool-calls.ts';
import type { ActivityDependencies, TurnRepositories } from './dependencies.ts';
import { StepStopped } from './failures.ts';
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
  const { inWorkspace, getVersion, wakeups } = dependencies;

  return (input: CallModelInput): Promise<CallModelResult> =>
    runStep({ ...input, wakeups, what: 'the model was answering' }, async (signal) => {
      const { step, messages, version } = await inWorkspace(input.workspaceId, (repositories) =>
        readStep(repositories, { input, getVersion }),
      );
      if (messages === null) return readStoredResult(dependencies, input, step);
      const answer = await answerStep(dependencies, { input, step, version, signal, messages });
      return storeStep(dependencies, { input, step, version, answer });
    });
}

interface ReadOptions {
  input: CallModelInput;
  getVersion: ActivityDependencies['getVersion'];
}

/** Reads what the call needs; `messages` is null when the answer is there already. */
async function readStep(repositories: TurnRepositories, { input, getVersion }: ReadOptions) {
  const { turnId, iteration, workspaceId } = input;
  const step = await repositories.context.findStep(turnId, iteration);
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  const version = await getVersion(workspaceId, step.agentVersionId);
  if (step.stored) return { step, version, messages: null };
  if (step.status !== 'running')
    throw new HoldfastError('TURN_SETTLED', `The turn is ${step.status} already.`);
  if (step.cancelRequested) throw new StepStopped('cancelled');
  if (iteration > 1) await closeOpenToolCalls(repositories, turnId, iteration - 1);
  const { conversationId, ordinal } = step;
  const { contextCharacters } = version.limits;
  const messages = await repositories.context.listContext({ conversationId, ordinal, contextCharacters });
  return { step, version, messages: toModelMessages(messages) };
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
  const attempt = Context.current().info.attempt;
  const stream = createTextStream({
    workspaceId: input.workspaceId,
    position: {
      conversationId: step.conversationId,
      turnId: input.turnId,
      iteration: input.iteration,
      attempt: step.restarts * 1000 + attempt,
    },
    appendChunks,
    notifier,
    onError: (error) =>
      logger.warn({ turnId: input.turnId, err: error }, 'a piece of the stream was not written'),
  });
  if (attempt > 1 || step.restarts > 0) stream.reset();
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
  const { inWorkspace, notifier, engine, logger, tools } = dependencies;
  const answer = toNewAnswer(options, tools);
  const stored = await inWorkspace(input.workspaceId, async ({ answers }) => {
    if (!(await answers.storeAnswer(answer))) return null;
    return { next: answer.outcome === null ? null : await answers.promoteNextTurn(step.conversationId) };
  });
  if (!stored) return readStoredResult(dependencies, input, step);
  notifier.events(step.conversationId);
  if (stored.next)
    await engine
      .startTurn(stored.next)
      .catch((error: unknown) => logger.warn({ err: error }, 'the sweeper will start the next turn'));
  return toCallModelResult({ ...answer, toolCalls: answer.toolCalls }, version, tools.summarize);
}

/** What another attempt has stored of this iteration. */
async function readStoredResult(
  { inWorkspace, getVersion, tools }: ActivityDependencies,
  { workspaceId, turnId, iteration }: CallModelInput,
  { agentVersionId }: TurnStep,
): Promise<CallModelResult> {
  const version = await getVersion(workspaceId, agentVersionId);
  const { step, toolCalls } = await inWorkspace(workspaceId, async ({ context, toolCalls }) => ({
    step: await context.findStep(turnId, iteration),
    toolCalls: await toolCalls.listOfIteration(turnId, iteration),
  }));
  if (!step?.stored) throw new HoldfastError('TURN_SETTLED', `The turn is ${step?.status ?? 'gone'}.`);
  const { text, finishReason, usage } = step.stored;
  const outcome = toolCalls.length === 0 && step.outcome ? step.outcome : null;
  return toCallModelResult({ text, finishReason, usage, outcome, toolCalls }, version, tools.summarize);
}
