import { HoldfastError } from '../../src/domain/errors.ts';
import { defaultLimits, toSettleReserveMs } from '../../src/domain/limits.ts';
import { toModelMessages, type ContextMessage } from '../../src/domain/model-context.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { CallModelInput, CallModelResult } from '../../workflows/contract/turn-steps.ts';
import { startStoredTurn } from '../../src/turns/start-stored-turn.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import { answerStep, type StepAnswer } from './answer-step.ts';
import { toCallModelResult } from './call-model-result.ts';
import { completeContext, type ContextCache, createContextCache } from './context-cache.ts';
import { closeOpenToolCalls } from '../tool/close-tool-calls.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { StepStopped } from '../failures.ts';
import { toNewAnswer } from './new-answer.ts';
import { readTurnVersion } from './read-turn-version.ts';
import { runStep } from '../run-step.ts';

/**
 * Calls the model for one iteration of a turn and stores its answer. An answer that is stored already is
 * returned unchanged, so that no attempt pays twice for a finished answer.
 */
export function createCallModel(dependencies: ActivityDependencies) {
  const { pipelined, wakeups } = dependencies;
  const cache = createContextCache();

  return (asked: CallModelInput): Promise<CallModelResult> =>
    runStep({ ...asked, pipelined, wakeups, what: 'the model was answering' }, async (signal) => {
      const { step, context } = await readStep(dependencies, cache, asked);
      await noteLateStart(dependencies, asked, step);
      if (step.stored) return readStoredResult(dependencies, asked, step);
      if (step.status !== 'running')
        throw new HoldfastError('TURN_SETTLED', `The turn is ${step.status} already.`);
      if (step.cancelRequested) throw new StepStopped('cancelled');
      const running = await readTurnVersion(dependencies, asked.workspaceId, step);
      const { version } = running;
      const input = withinBudget(asked, step, version);
      // An attempt after the turn was settled must not void the text that an earlier attempt has streamed.
      signal.throwIfAborted();
      const messages = toModelMessages(context);
      const answer = await answerStep(dependencies, { input, step, ...running, signal, messages });
      return storeStep(dependencies, { input, step, version, ...answer });
    });
}

/** A stored deadline that is so much too early stays, since most turns start that late; in milliseconds. */
const deadlineAccuracyMs = 1_000;

/** The stored deadline counts from the start of the turn; the time of its steps counts from the first of them. */
async function noteLateStart(
  { pipelined }: ActivityDependencies,
  { workspaceId, turnId, iteration, deadlineAt }: CallModelInput,
  step: TurnStep,
): Promise<void> {
  const endsAt = Math.round(deadlineAt + toSettleReserveMs(step.timeoutMs));
  if (iteration > 1 || step.status !== 'running' || step.deadlineAt + deadlineAccuracyMs >= endsAt) return;
  await pipelined(workspaceId, ({ context }) => context.extendDeadline(turnId, endsAt));
}

/** Withholds the tools when the turn has used up its tokens, as the workflow does after the last iteration. */
function withinBudget(input: CallModelInput, step: TurnStep, { limits }: AgentVersion): CallModelInput {
  const most = Math.min(limits.maxTokens ?? defaultLimits.maxTokens, step.maxTokens ?? Infinity);
  return step.tokensUsed >= most ? { ...input, tools: 'withheld' } : input;
}

/** Reads the input of the call, after it has ended tool calls of earlier iterations that are still open. */
async function readStep(dependencies: ActivityDependencies, cache: ContextCache, input: CallModelInput) {
  const { workspaceId, conversationId, turnId, iteration } = input;
  const key = `${workspaceId}/${conversationId}`;
  const remembered = cache.find(key);
  const [step, read] = await dependencies.pipelined(workspaceId, (repositories) =>
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

interface StoreOptions extends StepAnswer {
  input: CallModelInput;
  step: TurnStep;
  version: AgentVersion;
}

async function storeStep(
  dependencies: ActivityDependencies,
  options: StoreOptions,
): Promise<CallModelResult> {
  const { input, step, version } = options;
  const { pipelined, notifier, turnDependencies, logger, tools } = dependencies;
  const answer = toNewAnswer(options, tools);
  const [stored, next] = await pipelined(input.workspaceId, ({ answers }) =>
    Promise.all([
      answers.storeAnswer(answer),
      answer.outcome === null ? null : answers.promoteNextTurn(step.conversationId),
    ]),
  );
  if (next) await startStoredTurn(turnDependencies, next);
  if (!stored) return readStoredResult(dependencies, input, step);
  notifier.events(step.conversationId);
  const { turnId, conversationId, iteration } = input;
  const { outcome, usage, answeredBy } = answer;
  logger.info({ turnId, conversationId, iteration, model: answeredBy, usage, outcome }, 'model answered');
  return toCallModelResult(answer, version, tools.summarize);
}

/** Reads the answer that another attempt stored for this iteration. */
async function readStoredResult(
  { pipelined, getVersion, tools }: ActivityDependencies,
  { workspaceId, turnId, iteration }: CallModelInput,
  { agentVersionId }: TurnStep,
): Promise<CallModelResult> {
  const version = await getVersion(workspaceId, agentVersionId);
  const [step, toolCalls] = await pipelined(workspaceId, (repositories) =>
    Promise.all([
      repositories.context.findStep(turnId, iteration),
      repositories.toolCalls.listOfIteration(turnId, iteration),
    ]),
  );
  if (!step?.stored) throw new HoldfastError('TURN_SETTLED', `The turn is ${step?.status ?? 'gone'}.`);
  const outcome = toolCalls.length === 0 ? step.outcome : null;
  return toCallModelResult({ ...step.stored, outcome, toolCalls }, version, tools.summarize);
}
