import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentVersion } from '../../src/domain/agent.ts';
import { isSameVendor, toSummaryPart } from '../../src/domain/compaction.ts';
import { toModelCredits } from '../../src/domain/credits.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { ModelCall } from '../../src/domain/model.ts';
import { fitModelSettings } from '../../src/domain/model-settings.ts';
import type { ModelChoice } from '../../src/domain/model-state.ts';
import { findPrice } from '../../src/domain/price-table.ts';
import type { NewSummary } from '../../src/modules/turns/context/compaction-repository.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createCanaryDetector } from '../../src/engines/rules/canary-detector.ts';
import type { SummarizeContextInput } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { isHang } from '../../src/platform/activity/failures.ts';
import { withSilenceLimit } from '../../src/platform/activity/with-time-limit.ts';
import { callInOrder, NoModelAnswered, toConnection, withFailures } from './model-choices.ts';
import { reserveModelCall } from './reserve-model-call.ts';

interface SummaryOptions {
  input: SummarizeContextInput;
  step: TurnStep;
  /** The agent's version; see {@link toSummaryVersion} for the models that are asked. */
  version: AgentVersion;
  instructions: string;
  text: string;
  /** Counts the compactions before the same model call, from 1. */
  number: number;
  signal: AbortSignal;
  /** The time for all attempts together, in milliseconds. */
  timeoutMs: number;
  /** The most characters of the summary. */
  maxCharacters: number;
}

const maximumAttempts = 3;
const pauseMs = 500;

/** Returns the models that write the summaries of an agent: its own, after the one that it names for summaries. */
export function toSummaryVersion<Version extends AgentVersion>(version: Version): Version {
  const { summaryModel, model, modelConnectionId, fallbackModels } = version;
  if (summaryModel === null || summaryModel === model) return version;
  return {
    ...version,
    model: summaryModel,
    modelConnectionId: isSameVendor(summaryModel, model) ? modelConnectionId : null,
    fallbackModels: [{ model, modelConnectionId }, ...fallbackModels],
  };
}

/**
 * Lets a model write a summary, with as many attempts as its time allows.
 * @throws HoldfastError when no model writes one, `BUDGET_EXCEEDED` and `PRICE_UNKNOWN` among them; StepStopped when the
 * step was stopped
 */
export async function writeSummary(dependencies: ModelPort, options: SummaryOptions): Promise<NewSummary> {
  const endsAt = Date.now() + options.timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptSummary(dependencies, { ...options, timeoutMs: Math.max(1, endsAt - Date.now()) });
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof HoldfastError)) throw error;
      const waitMs = error.retryAfterMs ?? pauseMs * 2 ** attempt;
      if (!error.retryable || attempt >= maximumAttempts || Date.now() + waitMs >= endsAt) throw error;
      await sleep(waitMs, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
    }
  }
}

async function attemptSummary(dependencies: ModelPort, options: SummaryOptions): Promise<NewSummary> {
  const { input, version, step, signal, maxCharacters } = options;
  const states = dependencies.modelStates(input.workspaceId);
  const { answer, choice } = await callInOrder({
    ...{ states, version: toSummaryVersion(version), signal, toError: toHangError },
    call: (one) => callChoice(dependencies, options, one),
    needed: [],
    hasStreamed: () => false,
  }).catch((error: unknown) => {
    throw toThrown(error);
  });
  if (answer.finishReason === 'content_filter') {
    throw new HoldfastError('MODEL_BAD_RESPONSE', 'The model refused to summarize.', { retryable: false });
  }
  const said = createCanaryDetector(version.rules.canaryTokens)?.redact(answer.text) ?? answer.text;
  const text = said.trim().slice(0, maxCharacters).toWellFormed();
  if (text === '') {
    throw new HoldfastError('MODEL_BAD_RESPONSE', 'The model wrote no summary.', { retryable: false });
  }
  return {
    messageId: newId(),
    text,
    model: choice.model,
    answeredBy: answer.answeredBy,
    usage: answer.usage,
    credits: toModelCredits(answer.usage, findPrice(choice.model, step.prices)),
  };
}

async function callChoice(dependencies: ModelPort, options: SummaryOptions, choice: ModelChoice) {
  const { input, step, number, signal, timeoutMs } = options;
  const part = toSummaryPart({ iteration: input.iteration, number });
  const place = { input, step, entry: { part, kind: 'summary' as const } };
  const call = await reserveModelCall(dependencies, place, toSummaryCall(options, choice));
  try {
    return await withSilenceLimit({ silenceMs: input.timeoutMs, timeoutMs, signal }, (limited, onProgress) =>
      dependencies.callLanguageModel({ ...call, signal: limited, onProgress }),
    );
  } catch (error) {
    // Turns may be left out in place of the summary, so that no later attempt takes over what was reserved.
    if (step.budgeted) await release(dependencies, input, part);
    throw error;
  }
}

function release({ pipelined }: ModelPort, input: SummarizeContextInput, part: string) {
  const { workspaceId, turnId: sourceId } = input;
  return pipelined(workspaceId, ({ credits }) => credits.release({ sourceId, part })).catch(() => undefined);
}

/** A summary is asked for without tools, and at whatever length: a model that reasons needs more than it writes. */
function toSummaryCall(
  { input, version, instructions, text, number, signal }: SummaryOptions,
  choice: ModelChoice,
) {
  const { temperature, topP, reasoningEffort, providerOptions, headers } = fitModelSettings(
    choice.model,
    version.modelSettings,
  );
  const key = `${input.turnId}\n${input.iteration}\nsummary\n${number}`;
  const call: ModelCall = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(providerOptions && { providerOptions }),
    ...(headers && { headers }),
    model: choice.model,
    ...toConnection(input, choice),
    instructions,
    messages: [{ role: 'user', text }],
    tools: [],
    idempotencyKey: createHash('sha256').update(key).digest('hex'),
    signal,
    onTextDelta: () => undefined,
  };
  return call;
}

/** Returns the error of a summary, with the error of each model when none has answered. */
function toThrown(error: unknown): unknown {
  if (!(error instanceof NoModelAnswered)) return toHangError(error);
  const cause = toHangError(error.cause);
  return cause instanceof HoldfastError ? withFailures(cause, error.failures) : cause;
}

function toHangError(error: unknown): unknown {
  if (!isHang(error)) return error;
  return new HoldfastError('MODEL_UNAVAILABLE', 'The model did not write the summary in time.');
}
