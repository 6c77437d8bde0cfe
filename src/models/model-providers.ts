import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ImageModel, LanguageModel, streamText } from 'ai';
import type { ModelsConfig } from './models-config.ts';

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** How to reach a provider. */
export interface ConnectOptions {
  apiKey: string | undefined;
  baseURL: string;
  /** Follows no redirect: one would carry the key to another host. */
  fetch: typeof fetch;
}

/** A vendor of models, or a protocol that many vendors speak. */
export interface ModelProvider {
  apiKey: (config: ModelsConfig) => string | undefined;
  /** Undefined when the operator has to name an address and has not. */
  baseUrl: (config: ModelsConfig) => string | undefined;
  /** The variable that an operator sets, for messages. */
  apiKeyVariable: string;
  baseUrlVariable: string;
  needsApiKey: boolean;
  takesIdempotencyKey: boolean;
  /**
   * Declare the tools also when they may not be called, and say that: the provider refuses a conversation
   * with tool calls that declares none. The others are not shown the tools, since some servers that speak
   * their protocol take no notice of a tool choice.
   */
  declaresWithheldTools: boolean;
  /** Keys and addresses are always given: left out, the packages would read the environment themselves. */
  connect: (options: ConnectOptions) => (modelId: string) => LanguageModel;
  /** Missing when the provider makes no images. */
  connectImages?: (options: ConnectOptions) => (modelId: string) => ImageModel;
  providerOptions?: ProviderOptions;
}

const openai: ModelProvider = {
  apiKey: (config) => config.openaiApiKey,
  baseUrl: (config) => config.openaiBaseUrl ?? 'https://api.openai.com/v1',
  apiKeyVariable: 'OPENAI_API_KEY',
  baseUrlVariable: 'OPENAI_BASE_URL',
  needsApiKey: true,
  takesIdempotencyKey: true,
  declaresWithheldTools: false,
  connect: ({ apiKey = '', ...options }) => createOpenAI({ apiKey, ...options }),
  connectImages: ({ apiKey = '', ...options }) => toImageModels(createOpenAI({ apiKey, ...options })),
  // Conversations live in our database: encrypted reasoning travels with them instead of ids of stored items.
  providerOptions: { openai: { store: false } },
};

const anthropic: ModelProvider = {
  apiKey: (config) => config.anthropicApiKey,
  baseUrl: (config) => config.anthropicBaseUrl ?? 'https://api.anthropic.com/v1',
  apiKeyVariable: 'ANTHROPIC_API_KEY',
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  needsApiKey: true,
  takesIdempotencyKey: true,
  declaresWithheldTools: true,
  connect: ({ apiKey = '', ...options }) => createAnthropic({ apiKey, ...options }),
};

const google: ModelProvider = {
  apiKey: (config) => config.googleApiKey,
  baseUrl: (config) => config.googleBaseUrl ?? 'https://generativelanguage.googleapis.com/v1beta',
  apiKeyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  baseUrlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
  needsApiKey: true,
  takesIdempotencyKey: false,
  declaresWithheldTools: false,
  connect: ({ apiKey = '', ...options }) => createGoogle({ apiKey, ...options }),
  connectImages: ({ apiKey = '', ...options }) => toImageModels(createGoogle({ apiKey, ...options })),
};

const compatible: ModelProvider = {
  apiKey: (config) => config.compatibleApiKey,
  baseUrl: (config) => config.compatibleBaseUrl,
  apiKeyVariable: 'HOLDFAST_COMPATIBLE_API_KEY',
  baseUrlVariable: 'HOLDFAST_COMPATIBLE_BASE_URL',
  needsApiKey: false,
  takesIdempotencyKey: true,
  declaresWithheldTools: false,
  connect: (options) => connectCompatible(options),
  connectImages: (options) => toImageModels(connectCompatible(options)),
};

function connectCompatible({ apiKey, ...options }: ConnectOptions) {
  const key = apiKey === undefined ? {} : { apiKey };
  return createOpenAICompatible({ name: 'compatible', includeUsage: true, ...options, ...key });
}

function toImageModels(client: { imageModel: (modelId: string) => ImageModel }) {
  return (modelId: string) => client.imageModel(modelId);
}

/** Every provider by the prefix of its model names. */
export const modelProviders: Readonly<Record<string, ModelProvider>> = {
  openai,
  anthropic,
  google,
  compatible,
};
