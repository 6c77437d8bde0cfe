import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import type { CallTime, ModelAnswer, ModelCall } from '../../src/domain/model.ts';
import type { Sampling } from '../../src/domain/replay.ts';
import { modelMaximumAttempts, toPauseMs } from '../../src/contract/retry-limits.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import { StepStopped, toKnownError } from '../../src/platform/activity/failures.ts';
import { readAnswer, type StepAnswer } from '../model/read-answer.ts';
import type { TurnVersion } from '../model/read-turn-version.ts';
import { showFiles } from '../model/show-files.ts';
import { startCallClock } from '../../src/platform/lib/call-clock.ts';
import { toCallRecord } from '../model/to-call-record.ts';
import { toModelCall } from '../model/to-model-call.ts';
import type { SeenMessages } from '../model/to-seen-messages.ts';
import { withSilenceLimit } from '../../src/platform/activity/with-time-limit.ts';
import type { ReplayServices } from './replay-services.ts';

interface ModelQuestion extends SeenMessages {
  running: TurnVersion;
  input: CallModelInput;
  sampling: Sampling;
  /** The schema that the final answer satisfies. */
  responseSchema: JsonObject | null;
  signal: AbortSignal;
}

/**
 * Asks the model as a live turn does, with the same number of attempts, but streams nothing.
 * @throws HoldfastError of the last attempt
 */
export async function askModel(services: ReplayServices, question: ModelQuestion): Promise<StepAnswer> {
  const { running, input, firstOrdinal } = question;
  const { limits } = running.version;
  const call = await showFiles(services, toReplayCall(question), input.workspaceId);
  const { answer, time } = await callPatiently(services, call, {
    silenceMs: limits.activityTimeoutMs ?? input.timeoutMs,
    timeoutMs: limits.modelTimeoutMs ?? defaultLimits.modelTimeoutMs,
  });
  // A replay measures one model, so that no other one answers for it.
  const { model } = call;
  return {
    ...readAnswer(answer, running.version, services.logger),
    record: toCallRecord(call, { ...running, firstOrdinal }),
    time,
    model,
    passed: [],
  };
}

/** The limits of one attempt, in milliseconds; see `withSilenceLimit`. */
interface AttemptLimits {
  silenceMs: number;
  timeoutMs: number;
}

const defaultAttempt = {
  silenceMs: defaultLimits.activityTimeoutMs,
  timeoutMs: defaultLimits.modelTimeoutMs,
};

/**
 * Calls a model with as many attempts, and pauses between them, as a live turn makes.
 * @throws HoldfastError of the last attempt
 */
export async function callPatiently(
  { callLanguageModel }: Pick<ReplayServices, 'callLanguageModel'>,
  call: ModelCall,
  limits: AttemptLimits = defaultAttempt,
): Promise<{ answer: ModelAnswer; time: CallTime }> {
  const { signal } = call;
  for (let attempt = 1; ; attempt += 1) {
    const toTime = startCallClock();
    try {
      const answer = await withSilenceLimit({ ...limits, signal }, (limited, onProgress) =>
        callLanguageModel({ ...call, signal: limited, onProgress }),
      );
      return { answer, time: toTime() };
    } catch (error) {
      signal.throwIfAborted();
      const known = toKnownError(error instanceof StepStopped ? toHang(error) : error);
      if (!known.retryable || attempt >= modelMaximumAttempts) throw known;
      await sleep(known.retryAfterMs ?? toPauseMs(attempt), undefined, { signal });
    }
  }
}

function toReplayCall({
  running,
  input,
  messages,
  tools,
  sampling,
  responseSchema,
  signal,
}: ModelQuestion): ModelCall {
  const { version } = running;
  const call = { input, version, messages, tools, signal, step: { responseSchema } };
  return {
    ...toModelCall({ ...call, onTextDelta: () => undefined }),
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.maxOutputTokens === undefined ? {} : { maxOutputTokens: sampling.maxOutputTokens }),
  };
}

function toHang({ reason }: StepStopped): HoldfastError {
  return new HoldfastError('MODEL_UNAVAILABLE', `The model did not answer in time (${reason}).`);
}
