import { experimental_streamLanguageModelCall as streamLanguageModelCall } from 'ai';
import type { CallLanguageModel, ModelAnswer, ModelCall } from '../domain/model.ts';
import { toModelFailure } from './model-failures.ts';
import type { ModelsConfig } from './models-config.ts';
import { createModelOpener, type ModelAccess, type ModelConnections, type SealFetch } from './open-model.ts';
import { readModelAnswer } from './read-model-answer.ts';
import { redactModelAnswer } from './redact-model-answer.ts';
import { createSdkToolNames } from './sdk-tool-names.ts';
import { toSdkMessages } from './to-sdk-messages.ts';
import { toSdkSettings } from './to-sdk-settings.ts';
import { toSdkTools } from './to-sdk-tools.ts';
import { localVendors } from './vendor-catalogue.ts';

/**
 * Creates the function that calls models by name, with the operator's keys or with those of `connections`. With `seal`
 * every request to a model goes through the fetch that it returns.
 */
export function createLanguageModelCaller(
  config: ModelsConfig,
  connections?: ModelConnections,
  seal?: SealFetch,
): CallLanguageModel {
  const open = createModelOpener(config, connections, seal);
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
 * Makes one call of the AI SDK below its loop over steps and tools, which Holdfast has itself: the same prompts, errors and
 * tool calls without the copies and streams that the loop adds.
 */
async function streamAnswer(call: ModelCall, access: ModelAccess): Promise<ModelAnswer> {
  const { vendor, modelId, getLanguageModel, answerRedactor } = access;
  const { model, onProgress } = call;
  const shown = answerRedactor.createStream();
  const onTextDelta = (text: string) => {
    if (text !== '') call.onTextDelta(text);
  };
  const names = createSdkToolNames(call);
  const { stream } = await streamLanguageModelCall({
    model: getLanguageModel(),
    messages: toSdkMessages(call.messages, { model, names }),
    abortSignal: call.signal,
    ...(call.instructions === '' ? {} : { instructions: call.instructions }),
    ...toSdkTools(call, { vendor, names }),
    ...toSdkSettings(call, vendor),
    _internal: { collectContent: false },
  });
  const answer = await readModelAnswer(stream, {
    model,
    modelId,
    names,
    onTextDelta: (text) => onTextDelta(shown.push(text)),
    ...(onProgress ? { onProgress } : {}),
  });
  call.signal.throwIfAborted();
  onTextDelta(shown.end());
  return redactModelAnswer(answer, answerRedactor.redact);
}
