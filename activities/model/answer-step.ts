import { HoldfastError } from '../../src/domain/errors.ts';
import { isDatabaseOutage } from '../../src/platform/lib/database-outage.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { estimateUsage } from '../../src/domain/estimate-usage.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ModelCall, Usage } from '../../src/domain/model.ts';
import type { ModelChoice } from '../../src/domain/model-state.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { createCanaryDetector, type CanaryDetector } from '../../src/engines/rules/canary-detector.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { isHang, type StepStopped } from '../../src/platform/activity/failures.ts';
import type { StepRun } from '../run-step.ts';
import { CallCutShort, type CutCall } from './cut-call.ts';
import { callInOrder, NoModelAnswered, withFailures } from './model-choices.ts';
import { listNeededInputs } from './order-choices.ts';
import { createTextStream } from './stream-text.ts';
import { readAnswer, type StepAnswer } from './read-answer.ts';
import type { ReadAnswer } from './text-tool-calls.ts';
import { withSilenceLimit } from '../../src/platform/activity/with-time-limit.ts';
import type { TurnVersion } from './read-turn-version.ts';
import { reserveModelCall } from './reserve-model-call.ts';
import { showFiles } from './show-files.ts';
import { startCallClock } from '../../src/platform/lib/call-clock.ts';
import { toCallRecord } from './to-call-record.ts';
import { toModelCall } from './to-model-call.ts';
import type { SeenMessages } from './to-seen-messages.ts';
import { createVisibleText } from './visible-text.ts';

interface AnswerOptions extends TurnVersion, SeenMessages {
  input: CallModelInput;
  step: TurnStep;
  run: StepRun;
  steered: AbortSignal;
  cut: readonly CutCall[];
}

/**
 * Calls the models of the agent in their order until one answers, and streams the visible part of the answer. Stops an
 * answer that repeats a canary token.
 * @throws the errors of the model call; HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`; `CallCutShort`
 */
export async function answerStep(dependencies: ModelPort, options: AnswerOptions): Promise<StepAnswer> {
  const { input, version, run } = options;
  const states = dependencies.modelStates(input.workspaceId);
  const stream = openStream(dependencies, options);
  let hasStreamed = false;
  const shown = { ...stream, onText: () => (hasStreamed = true) };
  const toError = (error: unknown) =>
    withoutCanaries(isHang(error) ? toHangError(error, options) : error, version);
  try {
    const { answer, choice, passed } = await callInOrder({
      ...{ states, version, signal: run.signal, toError },
      needed: listNeededInputs(options.messages),
      hasHung: options.step.hasHung,
      call: (one) => callChoice(dependencies, options, { choice: one, shown }),
      hasStreamed: () => hasStreamed,
    });
    await (answer.isBlocked ? stream.flush() : stream.close());
    return { ...answer, model: choice.model, passed, attempt: stream.attempt };
  } catch (error) {
    await stream.flush();
    throw await toFinalError(dependencies, options, error);
  }
}

/** Returns the error of a step, with the failures of all its models. */
async function toFinalError(
  dependencies: ModelPort,
  options: AnswerOptions,
  thrown: unknown,
): Promise<unknown> {
  const { cause, failures } = thrown instanceof NoModelAnswered ? thrown : { cause: thrown, failures: null };
  const error = isHang(cause)
    ? await toModelTimeout(dependencies, options.input, toHangError(cause, options).message)
    : withoutCanaries(cause, options.version);
  return failures && error instanceof HoldfastError ? withFailures(error, failures) : error;
}

/** Opens the stream of an attempt. Readers discard what an earlier attempt has streamed when `begin` is called. */
function openStream(
  { writeChunk, logger }: ModelPort,
  { input: { turnId, iteration }, step, run }: AnswerOptions,
) {
  const attempt = toStreamAttempt(step, run);
  const { conversationId } = step;
  const stream = createTextStream({
    place: { conversationId, turnId, iteration, attempt, heldBy: step.heldBy },
    writeChunk,
    onError: (error) => {
      // An outage is one line of the log already.
      const level = isDatabaseOutage(error) ? 'debug' : 'warn';
      logger[level]({ turnId, err: error }, 'a piece of the stream was not written');
    },
  });
  let hasBegun = step.streamedAttempt === 0;
  const begin = () => {
    if (!hasBegun) stream.reset();
    hasBegun = true;
  };
  return { ...stream, attempt, begin };
}

interface ChosenCall {
  choice: ModelChoice;
  shown: Pick<ReturnType<typeof openStream>, 'begin' | 'push'> & { onText: () => void };
}

async function callChoice(
  dependencies: ModelPort,
  options: AnswerOptions,
  { choice, shown }: ChosenCall,
): Promise<Omit<StepAnswer, 'model' | 'passed' | 'attempt'>> {
  const { input, run, steered } = options;
  const { callLanguageModel, logger } = dependencies;
  const version = { ...options.version, model: choice.model };
  const blocked = new AbortController();
  const onCanary = () => blocked.abort(answerBlocked);
  const visible = createVisibleText({ version, push: shown.push, onCanary });
  let received = '';
  const onTextDelta = (text: string) => {
    received += text;
    shown.onText();
    visible.push(text);
  };
  const asked = toModelCall({ ...options, choice, signal: run.signal, onTextDelta });
  const planned = await showFiles(dependencies, asked, input.workspaceId);
  const call = await reserveModelCall(dependencies, options, planned);
  steered.throwIfAborted();
  shown.begin();
  const record = toCallRecord(call, options);
  const limits = {
    silenceMs: input.timeoutMs,
    timeoutMs: toModelTimeoutMs(options),
    signal: AbortSignal.any([run.signal, blocked.signal, steered]),
  };
  const toTime = startCallClock();
  try {
    const answer = await withSilenceLimit(limits, (limited, onProgress) =>
      callLanguageModel({ ...call, signal: limited, onProgress }),
    );
    const time = toTime();
    const read = readAnswer(answer, version, logger);
    if (!read.isBlocked) visible.complete(read.answer.text);
    return { ...read, record, time };
  } catch (error) {
    if (error === steered.reason)
      throw new CallCutShort({ model: call.model, usage: estimateStopped(call, received) });
    if (error !== answerBlocked) throw error;
    return { answer: toStoppedAnswer(call, received), isBlocked: true, record, time: toTime() };
  }
}

function toModelTimeoutMs({ version }: Pick<AnswerOptions, 'version'>): number {
  return version.limits.modelTimeoutMs ?? defaultLimits.modelTimeoutMs;
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

/** Estimates the usage of a call that was stopped after a text was received, since the vendor reports it at the end alone. */
function estimateStopped(call: ModelCall, text: string): Usage {
  return estimateUsage(call, { text, reasoning: '', toolCalls: [] });
}

/** The stored form of an answer that was stopped after a text was received. */
function toStoppedAnswer(call: ModelCall, received: string): ReadAnswer {
  const said = { text: '', reasoning: '', toolCalls: [] };
  return {
    ...said,
    finishReason: 'content_filter',
    usage: estimateStopped(call, received),
    answeredBy: call.model,
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

function toHangError({ reason }: StepStopped, options: AnswerOptions): HoldfastError {
  const message =
    reason === 'silence'
      ? `The model sent nothing for ${options.input.timeoutMs} ms. ` +
        'limits.activityTimeoutMs of the agent sets how long it may be silent.'
      : `The model did not finish its answer within ${toModelTimeoutMs(options)} ms. ` +
        'limits.modelTimeoutMs of the agent sets this limit.';
  return new HoldfastError('MODEL_UNAVAILABLE', message);
}

/**
 * A slow model is likely slow again, and each attempt costs money, so there is only one more after the first hang,
 * however many attempts have failed for other reasons.
 */
async function toModelTimeout(
  { pipelined }: Pick<ModelPort, 'pipelined'>,
  { workspaceId, turnId, iteration }: CallModelInput,
  message: string,
): Promise<HoldfastError> {
  const isFirst = await pipelined(workspaceId, ({ answers }) => answers.noteHungCall(turnId, iteration));
  return new HoldfastError('MODEL_UNAVAILABLE', message, { retryable: isFirst });
}
