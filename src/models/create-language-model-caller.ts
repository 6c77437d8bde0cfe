import { experimental_streamTextLowMemory as streamText } from 'ai';
import type { CallLanguageModel, ModelAnswer, ModelCall } from '../domain/model.ts';
import { toModelFailure } from './model-failures.ts';
import type { ModelsConfig } from './models-config.ts';
import { createModelOpener, type ModelAccess, type ModelConnections } from './open-model.ts';
import { readModelAnswer } from './read-model-answer.ts';
import { redactModelAnswer } from './redact-model-answer.ts';
import { createSdkToolNames } from './sdk-tool-names.ts';
import { toSdkMessages } from './to-sdk-messages.ts';
import { toSdkTools } from './to-sdk-tools.ts';
import { localVendors } from './vendor-catalogue.ts';

/** Creates the function that calls models by name, with the operator's keys or with those of `connections`. */
export function createLanguageModelCaller(
  config: ModelsConfig,
  connections?: ModelConnections,
): CallLanguageModel {
  const open = createModelOpener(config, connections);
  return async (call) => {
    call.signal.throwIfAborted();
    const local = localVendors.get(call.model);
    if (local) return local.callModel(call);
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
 * The single-consumer form of `streamText` runs the same engine and keeps no copy of the stream for results that
 * are not read here, which halves the processor time of a call.
 */
async function streamAnswer(call: ModelCall, access: ModelAccess): Promise<ModelAnswer> {
  const { vendor, modelId, getClient, answerRedactor } = access;
  const { model, onProgress } = call;
  const shown = answerRedactor.createStream();
  const onTextDelta = (text: string) => {
    if (text !== '') call.onTextDelta(text);
  };
  const names = createSdkToolNames(call);
  const { stream } = streamText({
    model: getClient('language').languageModel(modelId),
    messages: toSdkMessages(call.messages, { model, names }),
    maxRetries: 0,
    abortSignal: call.signal,
    telemetry: { isEnabled: false },
    // Errors come as parts of the stream; the AI SDK prints them as well when there is no listener.
    onError: () => undefined,
    ...(call.instructions === '' ? {} : { instructions: call.instructions }),
    ...toSdkTools(call, { vendor, names }),
    ...(call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens }),
    ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
    ...(vendor.takesIdempotencyKey ? { headers: { 'Idempotency-Key': call.idempotencyKey } } : {}),
    ...(vendor.providerOptions ? { providerOptions: vendor.providerOptions } : {}),
  });
  const answer = await readModelAnswer(stream, {
    model,
    names,
    onTextDelta: (text) => onTextDelta(shown.push(text)),
    ...(onProgress ? { onProgress } : {}),
  });
  // An aborted stream ends as if it were complete.
  call.signal.throwIfAborted();
  onTextDelta(shown.end());
  return redactModelAnswer(answer, answerRedactor.redact);
}
