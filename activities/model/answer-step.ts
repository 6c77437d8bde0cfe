import { HoldfastError } from '../../src/domain/errors.ts';
import { isDatabaseOutage } from '../../src/lib/database-outage.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { noUsage } from '../../src/domain/usage.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { CallRecord, ModelCall } from '../../src/domain/model.ts';
import type { CallModelInput } from '../../workflows/contract/turn-steps.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import { createCanaryDetector, type CanaryDetector } from '../../src/rules/canary-detector.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { StepStopped } from '../failures.ts';
import type { StepRun } from '../step-run.ts';
import { createTextStream } from './stream-text.ts';
import { readToolCallsInText, type ReadAnswer } from './text-tool-calls.ts';
import { withSilenceLimit } from '../with-time-limit.ts';
import type { TurnVersion } from './read-turn-version.ts';
import { reserveModelCall } from './reserve-model-call.ts';
import { toCallRecord } from './to-call-record.ts';
import { toModelCall } from './to-model-call.ts';
import { createVisibleText } from './visible-text.ts';

interface AnswerOptions extends TurnVersion {
  input: CallModelInput;
  step: TurnStep;
  run: StepRun;
  messages: ModelCall['messages'];
  /** The ordinal of the first turn that the messages are of. */
  firstOrdinal: number;
}

/** The answer of a model, with the tool calls in its text. */
export interface StepAnswer {
  answer: ReadAnswer;
  /** True when the answer repeats a canary token; then nothing of it may be stored. */
  isBlocked: boolean;
  record: CallRecord;
}

/**
 * Calls the model and streams the visible part of its answer. Stops an answer that repeats a canary token.
 * @throws the errors of the model call; HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`
 */
export async function answerStep(
  dependencies: ActivityDependencies,
  options: AnswerOptions,
): Promise<StepAnswer> {
  const { input, step, version, run } = options;
  const { appendChunks, notifier, logger, callLanguageModel } = dependencies;
  const attempt = toStreamAttempt(step, run);
  const { conversationId } = step;
  const { turnId, iteration } = input;
  const modelTimeoutMs = version.limits.modelTimeoutMs ?? defaultLimits.modelTimeoutMs;
  const stream = createTextStream({
    workspaceId: input.workspaceId,
    position: { conversationId, turnId, iteration, attempt },
    appendChunks,
    notifier,
    onError: (error) => {
      // An outage is one line of the log already.
      const level = isDatabaseOutage(error) ? 'debug' : 'warn';
      logger[level]({ turnId, err: error }, 'a piece of the stream was not written');
    },
  });
  const blocked = new AbortController();
  const visible = createVisibleText({
    version,
    push: stream.push,
    onCanary: () => blocked.abort(answerBlocked),
  });
  const planned = toModelCall({ ...options, signal: run.signal, onTextDelta: visible.push });
  const call = await reserveModelCall(dependencies, options, planned);
  if (attempt > 1) stream.reset();
  const record = toCallRecord(call, options);
  try {
    const limits = {
      silenceMs: input.timeoutMs,
      timeoutMs: modelTimeoutMs,
      signal: AbortSignal.any([run.signal, blocked.signal]),
    };
    const answer = await withSilenceLimit(limits, (limited, onProgress) =>
      callLanguageModel({ ...call, signal: limited, onProgress }),
    );
    const read = readToolCallsInText(answer, version, logger);
    const isBlocked = createCanaryDetector(version.rules.canaryTokens)?.isIn(read.text) ?? false;
    if (!isBlocked) visible.complete(read.text);
    await stream.close();
    return { answer: read, isBlocked, record };
  } catch (error) {
    await stream.flush();
    if (error === answerBlocked) return { answer: toStoppedAnswer(version), isBlocked: true, record };
    throw isHang(error)
      ? await toModelTimeout(dependencies, input, toHangMessage(error, { input, modelTimeoutMs }))
      : withoutCanaries(error, version);
  }
}

/** The number is counted in the conversation, since a turn that Temporal has lost is started again as a new run. */
function toStreamAttempt(
  { restarts, streamedAttempt }: TurnStep,
  { attemptsBefore, attempt }: StepRun,
): number {
  return Math.max(restarts * 1000 + attemptsBefore + attempt, streamedAttempt + 1);
}

/** Aborts a model call whose answer repeats a canary token. */
const answerBlocked = new Error('the answer repeats a canary token');

/** The stored form of an answer that was stopped while it was written. Its usage is not known. */
function toStoppedAnswer({ model }: AgentVersion): ReadAnswer {
  return {
    text: '',
    reasoning: '',
    toolCalls: [],
    finishReason: 'content_filter',
    usage: noUsage,
    answeredBy: model,
  };
}

/** Removes canary tokens from the message of an error, since a server may repeat its input there. */
function withoutCanaries(error: unknown, { rules }: AgentVersion): unknown {
  const detector = createCanaryDetector(rules.canaryTokens);
  if (!detector || !(error instanceof HoldfastError)) return error;
  const message = redactCut(detector, error.message);
  if (message === error.message) return error;
  const { code, retryable, retryAfterMs } = error;
  return new HoldfastError(code, message, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Replaces the tokens in a message, and leaves out the beginning of one at the end of a message that was cut. */
function redactCut(detector: CanaryDetector, message: string): string {
  const redacted = detector.redact(message);
  if (!redacted.endsWith('…')) return redacted;
  const whole = redacted.slice(0, -1);
  return `${whole.slice(0, detector.countSafe(whole) ?? 0)}…`;
}

function isHang(error: unknown): error is StepStopped {
  return error instanceof StepStopped && (error.reason === 'timeout' || error.reason === 'silence');
}

function toHangMessage(
  { reason }: StepStopped,
  { input, modelTimeoutMs }: { input: CallModelInput; modelTimeoutMs: number },
): string {
  return reason === 'silence'
    ? `The model sent nothing for ${input.timeoutMs} ms. ` +
        'limits.activityTimeoutMs of the agent sets how long it may be silent.'
    : `The model did not finish its answer within ${modelTimeoutMs} ms. ` +
        'limits.modelTimeoutMs of the agent sets this limit.';
}

/**
 * A slow model is likely slow again, and each attempt costs money, so there is only one more after the first hang,
 * however many attempts have failed for other reasons.
 */
async function toModelTimeout(
  { pipelined }: Pick<ActivityDependencies, 'pipelined'>,
  { workspaceId, turnId, iteration }: CallModelInput,
  message: string,
): Promise<HoldfastError> {
  const isFirst = await pipelined(workspaceId, ({ answers }) => answers.noteHungCall(turnId, iteration));
  return new HoldfastError('MODEL_UNAVAILABLE', message, { retryable: isFirst });
}
