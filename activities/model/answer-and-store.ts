import type { NewAnswer } from '../../src/db/turns/turn-answer-repository.ts';
import type { TurnState } from '../../src/db/turns/turn-state.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toModelMessages } from '../../src/domain/model-context.ts';
import { startStoredTurn } from '../../src/turns/start-stored-turn.ts';
import type { CallModelInput, CallModelResult } from '../../workflows/contract/turn-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import type { StepRun } from '../step-run.ts';
import { answerStep, type StepAnswer } from './answer-step.ts';
import { toCallModelResult } from './call-model-result.ts';
import { toNewAnswer } from './new-answer.ts';
import { readStoredResult, type ModelStep } from './read-model-step.ts';
import { readTurnVersion } from './read-turn-version.ts';

interface ModelCallOptions extends ModelStep {
  input: CallModelInput;
  run: StepRun;
  /** Names the attempt that claims the answer's calls with it. Calls that start a child are never claimed so. */
  claimId?: string;
}

/** The answer that a model call has stored; `stored` is null when another attempt had stored it before. */
export interface AnsweredStep {
  result: CallModelResult;
  stored: { answer: NewAnswer; state: TurnState; version: AgentVersion } | null;
}

/**
 * Calls the model and stores its answer, with the claims of the tool calls that this process runs next.
 * @throws the errors of the model call
 */
export async function answerAndStore(
  dependencies: ActivityDependencies,
  options: ModelCallOptions,
): Promise<AnsweredStep> {
  const { input: asked, step, context, run } = options;
  const running = await readTurnVersion(dependencies, asked.workspaceId, step);
  const { version } = running;
  const input = withinBudget(asked, step, version);
  // An attempt after the turn was settled must not void the text that an earlier attempt has streamed.
  run.signal.throwIfAborted();
  const messages = toModelMessages(context);
  const firstOrdinal = context[0]?.turnOrdinal ?? step.ordinal;
  const answer = await answerStep(dependencies, { input, step, ...running, run, messages, firstOrdinal });
  return storeStep(dependencies, { ...options, input, version, ...answer });
}

/** Withholds the tools when the turn has used up its tokens, as the workflow does after the last iteration. */
export function withinBudget(
  input: CallModelInput,
  step: Pick<TurnStep, 'maxTokens' | 'tokensUsed'>,
  { limits }: AgentVersion,
): CallModelInput {
  const most = Math.min(limits.maxTokens ?? defaultLimits.maxTokens, step.maxTokens ?? Infinity);
  return step.tokensUsed >= most ? { ...input, tools: 'withheld' } : input;
}

/** The tools of a version that an answer calls. */
export function listCalledTools({ tools }: Pick<AgentVersion, 'tools'>, { answer }: StepAnswer): Tool[] {
  return tools.filter(({ name }) => answer.toolCalls.some((call) => call.name === name));
}

interface StoreOptions extends ModelCallOptions, StepAnswer {
  version: AgentVersion;
  /** Set for an answer that could not be stored as it is, since a message waits that the turn is to take. */
  isSteered?: true;
}

async function storeStep(dependencies: ActivityDependencies, options: StoreOptions): Promise<AnsweredStep> {
  const { input, step, version } = options;
  const { pipelined, notifier, turnDependencies, logger, tools } = dependencies;
  await tools.loadEffects(input.workspaceId, listCalledTools(version, options));
  const answer = toNewAnswer(options, tools);
  const [state, next] = await pipelined(input.workspaceId, ({ answers }) =>
    Promise.all([
      answers.storeAnswer(answer),
      answer.outcome === null ? null : answers.promoteNextTurn(step.conversationId),
    ]),
  );
  // A message came: the turn goes on after this answer, and claims no calls of it.
  if (!state && answer.yields) return storeStep(dependencies, { ...options, isSteered: true });
  const { turnId, conversationId, iteration } = input;
  const { outcome, usage, answeredBy } = answer;
  if (state && outcome !== null) notifier.ended({ conversationId, turnId });
  else if (state) notifier.events(conversationId);
  if (next) await startStoredTurn(turnDependencies, next);
  if (!state) return { result: await readStoredResult(dependencies, input, step), stored: null };
  logger.info({ turnId, conversationId, iteration, model: answeredBy, usage, outcome }, 'model answered');
  const result = toCallModelResult(answer, version, tools.summarize);
  return { result, stored: { answer, state, version } };
}
