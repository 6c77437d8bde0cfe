import type { NewAnswer } from '../../src/modules/turns/turn-answer-repository.ts';
import type { TurnState } from '../../src/modules/turns/turn-state.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import {
  countFixedBytes,
  learnTokenRatio,
  measureMessages,
  type TokenRatios,
} from '../../src/domain/token-estimate.ts';
import { countTokens } from '../../src/domain/usage.ts';
import { startStoredTurn } from '../../src/modules/turns/start-stored-turn.ts';
import type { CallModelInput, CallModelResult } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import type { StepRun } from '../run-step.ts';
import { answerStep } from './answer-step.ts';
import { contextToSummarize, toCallModelResult } from './call-model-result.ts';
import type { CutCall } from './cut-call.ts';
import { leaveOutOldest, planFor } from './fit-context.ts';
import type { Verdict } from './judge-answer.ts';
import { runModelStep } from './model-step.ts';
import { toNewAnswer } from './new-answer.ts';
import { readStoredResult, type ModelStep } from './read-model-step.ts';
import type { StepAnswer } from './read-answer.ts';
import { readTurnVersion } from './read-turn-version.ts';

interface ModelCallOptions extends ModelStep {
  input: CallModelInput;
  run: StepRun;
  /** Aborted with `CallCutShort` when a message comes that the model is to see at once. */
  steered: AbortSignal;
  /** The calls of this iteration before this one, which messages have cut short. */
  cut: readonly CutCall[];
  /** Names the attempt that claims the answer's calls with it. Calls that start a child are never claimed so. */
  claimId?: string;
}

/**
 * The answer that a model call has stored; `stored` is null when another attempt had stored it before, and when the context
 * has to be summarized first. `before` is what the model call has seen.
 */
export interface AnsweredStep {
  result: CallModelResult;
  stored: { before: ModelStep; answer: NewAnswer; state: TurnState; version: AgentVersion } | null;
}

/**
 * Calls the model and stores its answer, with the claims of the tool calls that this process runs next.
 * @throws the errors of the model call; `CallCutShort`
 */
export async function answerAndStore(
  dependencies: ModelPort,
  options: ModelCallOptions,
): Promise<AnsweredStep> {
  const { input: asked, run, steered, cut } = options;
  const running = await readTurnVersion(dependencies, asked.workspaceId, options.step);
  const { version } = running;
  const plan = planFor(options, version);
  if (plan?.summarizes && asked.summarizesApart) return { result: contextToSummarize, stored: null };
  const read = plan
    ? await leaveOutOldest(dependencies, { input: asked, read: options, version, plan })
    : options;
  const { step, context } = read;
  const used = cut.reduce((sum, { usage }) => sum + countTokens(usage), step.tokensUsed);
  // An attempt after the turn was settled must not void the text that an earlier attempt has streamed.
  run.signal.throwIfAborted();
  const answered = await runModelStep(
    dependencies.tools,
    { input: asked, step: { ...step, tokensUsed: used }, running, context },
    (input, seen) => answerStep(dependencies, { input, step, ...running, run, steered, cut, ...seen }),
  );
  return storeStep(dependencies, { ...options, step, context, ...answered });
}

interface StoreOptions extends ModelCallOptions, StepAnswer {
  version: AgentVersion;
  /** Null for an answer that no schema is for. */
  verdict: Verdict | null;
  /** Set for an answer that could not be stored as it is, since a message waits that the turn is to take. */
  isSteered?: true;
}

async function storeStep(dependencies: ModelPort, options: StoreOptions): Promise<AnsweredStep> {
  const { input, step, context, taken, version } = options;
  const { notifier, turnDependencies, logger, tools } = dependencies;
  const answer = { ...toNewAnswer(options, tools), learned: learn(options) };
  const { state, next } = await storeAnswer(dependencies, options, answer);
  // A message came: the turn continues after this answer, and claims no calls of it.
  if (!state && answer.yields) return storeStep(dependencies, { ...options, isSteered: true });
  const { turnId, conversationId, iteration } = input;
  const { outcome, usage, answeredBy } = answer;
  if (state && outcome !== null) notifier.ended({ conversationId, turnId });
  else if (state) notifier.events(conversationId);
  if (state) for (const message of taken) notifier.ended({ conversationId, turnId: message.turnId });
  if (next) await startStoredTurn(turnDependencies, next);
  if (!state) return { result: await readStoredResult(dependencies, input, step), stored: null };
  logger.info({ turnId, conversationId, iteration, model: answeredBy, usage, outcome }, 'model answered');
  const result = toCallModelResult(answer, version, tools.summarize);
  return { result, stored: { before: { step, context, taken }, answer, state, version } };
}

/**
 * Stores an answer with the ends of the turns whose messages it has seen, and lets the next turn run when it ends the turn.
 * The turns are locked before the events of the answer lock the conversation.
 */
async function storeAnswer(
  { pipelined, transact }: Pick<ModelPort, 'pipelined' | 'transact'>,
  { input: { workspaceId, conversationId, turnId, iteration }, taken }: StoreOptions,
  answer: NewAnswer,
) {
  const promotes = answer.outcome !== null;
  if (taken.length === 0) {
    const [state, next] = await pipelined(workspaceId, ({ answers }) =>
      Promise.all([answers.storeAnswer(answer), promotes ? answers.promoteNextTurn(conversationId) : null]),
    );
    return { state, next };
  }
  return transact(workspaceId, async ({ answers, steering }) => {
    await steering.lockTaken(turnId);
    const state = await answers.storeAnswer(answer);
    if (state) await steering.endTaken(turnId, iteration);
    return { state, next: promotes ? await answers.promoteNextTurn(conversationId) : null };
  });
}

/** Returns the tokens of a byte that the model has counted for what it saw. */
function learn({
  answer,
  model,
  context,
  version,
}: StoreOptions & { context: ContextMessage[] }): TokenRatios {
  const bytes = measureMessages(context).bytes + countFixedBytes(version);
  const ratio = learnTokenRatio(answer.usage, bytes);
  return ratio === null ? {} : { [model]: ratio };
}
