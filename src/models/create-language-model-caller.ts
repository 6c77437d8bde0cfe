import { experimental_streamTextLowMemory as streamText, type LanguageModel } from 'ai';
import { HoldfastError } from '../domain/errors.ts';
import type { CallLanguageModel, ModelAnswer, ModelCall } from '../domain/model.ts';
import { callDemoModel } from './demo-model.ts';
import { toModelFailure } from './model-failures.ts';
import { checkModelName, demoModelName, findProvider, parseModelName } from './model-name.ts';
import type { ModelProvider } from './model-providers.ts';
import type { ModelsConfig } from './models-config.ts';
import { readModelAnswer } from './read-model-answer.ts';
import { createKeyRedactor } from './redact-keys.ts';
import { toSdkMessages } from './to-sdk-messages.ts';
import { toSdkTools } from './to-sdk-tools.ts';

// The AI SDK prints warnings by itself unless told not to; they are about its own mapping, not about the call.
globalThis.AI_SDK_LOG_WARNINGS = false;

interface Connection {
  provider: ModelProvider;
  languageModel: LanguageModel;
}

/** Makes the function that calls models by name; connections to providers are made once and kept. */
export function createLanguageModelCaller(config: ModelsConfig): CallLanguageModel {
  const connect = createConnector(config);
  const redact = createKeyRedactor(config);
  return async (call) => {
    call.signal.throwIfAborted();
    if (call.model === demoModelName) return callDemoModel(call);
    try {
      return await streamAnswer(call, connect(call.model));
    } catch (error) {
      call.signal.throwIfAborted();
      throw toModelFailure(error, { model: call.model, redact });
    }
  };
}

function createConnector(config: ModelsConfig): (name: string) => Connection {
  const connected = new Map<ModelProvider, (modelId: string) => LanguageModel>();
  return (name) => {
    const problem = checkModelName(config, name);
    const { provider: prefix, modelId } = parseModelName(name);
    const provider = findProvider(prefix);
    const baseURL = provider?.baseUrl(config);
    if (problem !== null || !provider || baseURL === undefined) {
      throw new HoldfastError('UNKNOWN_MODEL', problem ?? `There is no model "${name}".`);
    }
    const apiKey = provider.apiKey(config);
    if (provider.needsApiKey && !apiKey) {
      throw new HoldfastError(
        'MODEL_AUTHENTICATION',
        `${name} needs a key: set ${provider.apiKeyVariable}, or give the agent another model.`,
      );
    }
    const toLanguageModel = connected.get(provider) ?? provider.connect({ apiKey, baseURL });
    connected.set(provider, toLanguageModel);
    return { provider, languageModel: toLanguageModel(modelId) };
  };
}

/**
 * The single-consumer form of `streamText` runs the same engine without keeping a copy of the stream for
 * results that nobody asks for: half the processor time of a call.
 */
async function streamAnswer(call: ModelCall, { provider, languageModel }: Connection): Promise<ModelAnswer> {
  const { stream } = streamText({
    model: languageModel,
    messages: toSdkMessages(call.messages, call.model),
    maxRetries: 0,
    abortSignal: call.signal,
    telemetry: { isEnabled: false },
    // Errors come as parts of the stream; without a listener they would be printed as well.
    onError: () => undefined,
    ...(call.instructions === '' ? {} : { instructions: call.instructions }),
    ...toSdkTools(call, provider),
    ...(call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens }),
    ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
    ...(provider.takesIdempotencyKey ? { headers: { 'Idempotency-Key': call.idempotencyKey } } : {}),
    ...(provider.providerOptions ? { providerOptions: provider.providerOptions } : {}),
  });
  const answer = await readModelAnswer(stream, { model: call.model, onTextDelta: call.onTextDelta });
  // An aborted stream ends as if it were complete.
  call.signal.throwIfAborted();
  return answer;
}
