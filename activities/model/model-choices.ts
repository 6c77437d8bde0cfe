import type { AgentVersion } from '../../src/domain/agent.ts';
import { HoldfastError, type ErrorCode, type ErrorInfo } from '../../src/domain/errors.ts';
import type { ModelCall } from '../../src/domain/model.ts';
import type { ModelChoice, ModelStates } from '../../src/domain/model-state.ts';
import type { ModelInput } from '../../src/domain/known-models.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toOneLine } from '../../src/domain/text.ts';
import { isHang } from '../../src/platform/activity/failures.ts';
import { orderChoices, type PassedModel } from './order-choices.ts';

type ChoosingVersion = Pick<
  AgentVersion,
  'model' | 'modelConnectionId' | 'fallbackModels' | 'modelSettings' | 'limits'
>;

/** Returns the model that an agent is to be answered by. */
export function toFirstChoice({
  model,
  modelConnectionId,
}: Pick<ChoosingVersion, 'model' | 'modelConnectionId'>): ModelChoice {
  return { model, connectionId: modelConnectionId };
}

/** Returns the connection of a model as a call names it; none for the key of the operator. */
export function toConnection(
  { workspaceId }: { workspaceId: string },
  { connectionId }: ModelChoice,
): Pick<ModelCall, 'connection'> {
  return connectionId === null ? {} : { connection: { workspaceId, connectionId } };
}

function listChoices(version: ChoosingVersion): ModelChoice[] {
  const others = version.fallbackModels.map(({ model, modelConnectionId }) => ({
    model,
    connectionId: modelConnectionId,
  }));
  return [toFirstChoice(version), ...others];
}

/** Thrown when no model of an agent that has several answered: `cause` is the error that decides about another attempt. */
export class NoModelAnswered extends Error {
  override readonly name = 'NoModelAnswered';
  readonly failures: PassedModel[];

  constructor(cause: unknown, failures: PassedModel[]) {
    super('no model answered', { cause });
    this.failures = failures;
  }
}

/** Adds the error of each model to the error of a step. */
export function withFailures(error: HoldfastError, failures: PassedModel[]): HoldfastError {
  const { code, retryable, retryAfterMs, cause } = error;
  const lines = failures.map((one) => `${one.model}: ${toOneLine(one.error.message, 200)}`);
  return new HoldfastError(code, `No model answered. ${lines.join(' ')}`, {
    ...{ retryable, cause },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    details: {
      models: failures.map((one) => ({ model: one.model, code: one.error.code, message: one.error.message })),
    },
  });
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
  /** The kinds of files in the messages, such as images: a model that takes them is called first. */
  needed: readonly ModelInput[];
  signal: AbortSignal;
  /** Calls a model. */
  call: (choice: ModelChoice) => Promise<Answer>;
  /** Returns the error of a call that took too long; every other one as it is. */
  toError: (error: unknown) => unknown;
  /** Whether an earlier attempt waited for a model for too long: the first one is then called after all others. @default false */
  hasHung?: boolean;
  /** Whether readers have seen anything of the answer; then no other model may continue with it. */
  hasStreamed: () => boolean;
}

/**
 * Calls the models of an agent in their order until one answers: the next one is called when a model is unreachable, and nothing of
 * its answer was streamed. A model whose circuit is open is passed over, unless it is the last one, or the others failed for
 * reasons that another attempt does not mend.
 * @throws the error of the only model, or one that another model would not help against; NoModelAnswered
 */
export async function callInOrder<Answer>(options: ChoiceOptions<Answer>): Promise<Chosen<Answer>> {
  const { states, version, needed, signal, call, toError, hasStreamed, hasHung = false } = options;
  const { takes } = version.modelSettings;
  const { choices: inOrder, unfit } = orderChoices(listChoices(version), { needed, takes });
  // A model that was slow is likely slow again, and only one more attempt is made after that.
  const [slow] = hasHung && inOrder.length > 1 ? inOrder : [];
  const choices = slow ? [...inOrder.slice(1), slow] : inOrder;
  const passed: PassedModel[] = [];
  const failures: { thrown: unknown; error: HoldfastError }[] = [];
  const attempt = async (choice: ModelChoice): Promise<Chosen<Answer> | null> => {
    try {
      const answer = await call(choice);
      states.answered(choice);
      const late = slow && slow !== choice ? [{ model: slow.model, error: wasSlow }] : [];
      return { answer, choice, passed: [...unfit, ...late, ...passed] };
    } catch (thrown) {
      const error = toError(thrown);
      if (signal.aborted || !isAbsence(error)) throw thrown;
      if (concernsOthers(thrown, error, { choice, version }))
        await states.failed(choice, { code: error.code, waitMs: toWait(error) });
      if (choices.length === 1 || hasStreamed()) throw thrown;
      passed.push({
        model: choice.model,
        error: { code: error.code, message: toOneLine(error.message, 500) },
      });
      failures.push({ thrown, error });
      return null;
    }
  };
  const passedOver: ModelChoice[] = [];
  for (const choice of choices) {
    if (choice !== choices.at(-1) && (await states.isUnavailable(choice))) {
      passed.push({ model: choice.model, error: circuitOpen });
      passedOver.push(choice);
      continue;
    }
    const chosen = await attempt(choice);
    if (chosen) return chosen;
  }
  const lastResort = failures.some(({ error }) => error.retryable) ? [] : passedOver;
  for (const choice of lastResort) {
    const chosen = await attempt(choice);
    if (chosen) return chosen;
  }
  throw new NoModelAnswered(toCause(failures), passed);
}

/** Returns the error that decides about another attempt: the last one, unless only an earlier one may be retried. */
function toCause(failures: { thrown: unknown; error: HoldfastError }[]): unknown {
  return (failures.findLast(({ error }) => error.retryable) ?? failures.at(-1))?.thrown;
}

/** A model that is silent for less than this may be thinking; in milliseconds. */
const leastSilenceMs = 10_000;

/**
 * Returns whether a failure counts for all agents that call the model with the same key. All workspaces share the operator's
 * keys: an agent whose own limits are short, or whose own headers make the vendor refuse the key, must not open the circuit
 * of the model for the others.
 */
function concernsOthers(
  thrown: unknown,
  { code }: HoldfastError,
  { choice, version: { limits, modelSettings } }: { choice: ModelChoice; version: ChoosingVersion },
): boolean {
  if (choice.connectionId !== null) return true;
  if (isHang(thrown)) {
    const silenceMs = limits.activityTimeoutMs ?? defaultLimits.activityTimeoutMs;
    return thrown.reason === 'silence' && silenceMs >= leastSilenceMs;
  }
  const isRefusal = code === 'MODEL_AUTHENTICATION' || code === 'UNKNOWN_MODEL';
  return !isRefusal || Object.keys(modelSettings.headers ?? {}).length === 0;
}

const wasSlow: ErrorInfo = {
  code: 'MODEL_UNAVAILABLE',
  message: 'The model took too long in the attempt before.',
};

const circuitOpen: ErrorInfo = {
  code: 'MODEL_UNAVAILABLE',
  message: 'The model has failed several times lately and is passed over for a while.',
};

/** The errors of a model that is unreachable: another one may well answer the same request. */
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

/** Returns the wait that a vendor's rate limit asks for, in milliseconds; undefined for other errors. */
function toWait({ code, retryAfterMs = 0 }: HoldfastError): number | undefined {
  return code === 'MODEL_RATE_LIMITED' && retryAfterMs > 0 ? retryAfterMs : undefined;
}
