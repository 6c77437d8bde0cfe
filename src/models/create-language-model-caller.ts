import { experimental_streamTextLowMemory as streamText } from 'ai';
import type { CallLanguageModel, ModelAnswer, ModelCall } from '../domain/model.ts';
import { createModelOpener, type ModelAccess, type ModelConnections } from './connect-models.ts';
import { callDemoModel } from './demo-model.ts';
import { toModelFailure } from './model-failures.ts';
import { demoModelName } from './model-name.ts';
import type { ModelsConfig } from './models-config.ts';
import { readModelAnswer } from './read-model-answer.ts';
import { createSdkToolNames } from './sdk-tool-names.ts';
import { toSdkMessages } from './to-sdk-messages.ts';
import { toSdkTools } from './to-sdk-tools.ts';

/**
 * Makes the function that calls models by name, with the operator's keys or with those of `connections`;
 * clients of providers are made once and kept.
 */
export function createLanguageModelCaller(
  config: ModelsConfig,
  connections?: ModelConnections,
): CallLanguageModel {
  const open = createModelOpener(config, connections);
  return async (call) => {
    call.signal.throwIfAborted();
    if (call.model === demoModelName) return callDemoModel(call);
    const access = await open(call);
    try {
      return await streamAnswer(call, access);
    } catch (error) {
      call.signal.throwIfAborted();
      throw toModelFailure(error, { model: call.model, redact: access.redact });
    }
  };
}

/**
 * The single-consumer form of `streamText` runs the same engine without keeping a copy of the stream for
 * results that nobody asks for: half the processor time of a call.
 */
async function streamAnswer(call: ModelCall, access: ModelAccess): Promise<ModelAnswer> {
  const { provider, modelId, getClient } = access;
  const { model, onTextDelta } = call;
  const names = createSdkToolNames(call);
  const { stream } = streamText({
    model: getClient('language', provider.connect)(modelId),
    messages: toSdkMessages(call.messages, { model, names }),
    maxRetries: 0,
    abortSignal: call.signal,
    telemetry: { isEnabled: false },
    // Errors come as parts of the stream; without a listener they would be printed as well.
    onError: () => undefined,
    ...(call.instructions === '' ? {} : { instructions: call.instructions }),
    ...toSdkTools(call, { provider, names }),
    ...(call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens }),
    ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
    ...(provider.takesIdempotencyKey ? { headers: { 'Idempotency-Key': call.idempotencyKey } } : {}),
    ...(provider.providerOptions ? { providerOptions: provider.providerOptions } : {}),
  });
  const answer = await readModelAnswer(stream, { model, names, onTextDelta });
  // An aborted stream ends as if it were complete.
  call.signal.throwIfAborted();
  return answer;
}
