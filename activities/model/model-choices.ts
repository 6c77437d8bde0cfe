import type { AgentVersion } from '../../src/domain/agent.ts';
import { HoldfastError, type ErrorCode, type ErrorInfo } from '../../src/domain/errors.ts';
import type { ModelChoice, ModelStates } from '../../src/domain/model-state.ts';
import { toOneLine } from '../../src/domain/text.ts';

type ChoosingVersion = Pick<AgentVersion, 'model' | 'modelConnectionId' | 'fallbackModels'>;

/** Returns the model that an agent is to be answered by. */
export function toFirstChoice({ model, modelConnectionId }: ChoosingVersion): ModelChoice {
  return { model, connectionId: modelConnectionId };
}

function listChoices(version: ChoosingVersion): ModelChoice[] {
  const others = version.fallbackModels.map(({ model, modelConnectionId }) => ({
    model,
    connectionId: modelConnectionId,
  }));
  return [toFirstChoice(version), ...others];
}

/** A model that did not answer, and the reason. */
export interface PassedModel {
  model: string;
  error: ErrorInfo;
}

/** An answer, with the model that gave it and those before it that did not. */
export interface Chosen<Answer> {
  answer: Answer;
  choice: ModelChoice;
  passed: PassedModel[];
}

interface ChoiceOptions<Answer> {
  states: ModelStates;
  version: ChoosingVersion;
  signal: AbortSignal;
  /** Calls a model. */
  call: (choice: ModelChoice) => Promise<Answer>;
  /** Returns the error of a call that took too long; every other one as it is. */
  toError: (error: unknown) => unknown;
  /** Whether readers have seen anything of the answer; then no other model may go on with it. */
  hasStreamed: () => boolean;
}

/**
 * Calls the models of an agent in their order until one answers: the next one is called when a model is away, and nothing of
 * its answer was streamed. A model whose circuit is open is passed over, unless it is the last one.
 * @throws the error of the last call, or an earlier one after which the step may be tried again
 */
export async function callInOrder<Answer>(options: ChoiceOptions<Answer>): Promise<Chosen<Answer>> {
  const { states, version, signal, call, toError, hasStreamed } = options;
  const choices = listChoices(version);
  const last = choices.length - 1;
  const passed: PassedModel[] = [];
  let retryable: HoldfastError | undefined;
  for (const [index, choice] of choices.entries()) {
    if (index < last && (await states.isAway(choice))) {
      passed.push({ model: choice.model, error: circuitOpen });
      continue;
    }
    try {
      const answer = await call(choice);
      states.answered(choice);
      return { answer, choice, passed };
    } catch (thrown) {
      const error = toError(thrown);
      if (signal.aborted || !isAbsence(error)) throw thrown;
      const known = { code: error.code, message: toOneLine(error.message, 500) };
      await states.failed(choice, { code: error.code, waitMs: toWait(error) });
      if (hasStreamed()) throw thrown;
      if (index === last) throw error.retryable ? thrown : (retryable ?? thrown);
      if (error.retryable) retryable ??= error;
      passed.push({ model: choice.model, error: known });
    }
  }
  throw new Error('an agent has at least one model');
}

const circuitOpen: ErrorInfo = {
  code: 'MODEL_UNAVAILABLE',
  message: 'The model has failed several times lately and is passed over for a while.',
};

/** The errors of a model that is away: another one may well answer the same request. */
const absences = new Set<ErrorCode>([
  'MODEL_UNAVAILABLE',
  'MODEL_RATE_LIMITED',
  'MODEL_AUTHENTICATION',
  'UNKNOWN_MODEL',
]);

/** A broken answer counts too, unless it is one that would come again. */
function isAbsence(error: unknown): error is HoldfastError {
  if (!(error instanceof HoldfastError)) return false;
  return absences.has(error.code) || (error.code === 'MODEL_BAD_RESPONSE' && error.retryable);
}

/** A vendor's limit says itself when it ends. */
function toWait({ code, retryAfterMs }: HoldfastError): number | undefined {
  return code === 'MODEL_RATE_LIMITED' ? retryAfterMs : undefined;
}
