import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, streamText } from 'ai';
import type { ModelsConfig } from './models-config.ts';

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

interface ConnectOptions {
  apiKey: string | undefined;
  baseURL: string;
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
  providerOptions?: ProviderOptions;
}

/** A redirect would carry the key to another host, so it is an answer like any other and never followed. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

const openai: ModelProvider = {
  apiKey: (config) => config.openaiApiKey,
  baseUrl: (config) => config.openaiBaseUrl ?? 'https://api.openai.com/v1',
  apiKeyVariable: 'OPENAI_API_KEY',
  baseUrlVariable: 'OPENAI_BASE_URL',
  needsApiKey: true,
  takesIdempotencyKey: true,
  declaresWithheldTools: false,
  connect: ({ apiKey = '', baseURL }) => createOpenAI({ apiKey, baseURL, fetch: fetchWithoutRedirects }),
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
  connect: ({ apiKey = '', baseURL }) => createAnthropic({ apiKey, baseURL, fetch: fetchWithoutRedirects }),
};

const google: ModelProvider = {
  apiKey: (config) => config.googleApiKey,
  baseUrl: (config) => config.googleBaseUrl ?? 'https://generativelanguage.googleapis.com/v1beta',
  apiKeyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  baseUrlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
  needsApiKey: true,
  takesIdempotencyKey: false,
  declaresWithheldTools: false,
  connect: ({ apiKey = '', baseURL }) => createGoogle({ apiKey, baseURL, fetch: fetchWithoutRedirects }),
};

const compatible: ModelProvider = {
  apiKey: (config) => config.compatibleApiKey,
  baseUrl: (config) => config.compatibleBaseUrl,
  apiKeyVariable: 'HOLDFAST_COMPATIBLE_API_KEY',
  baseUrlVariable: 'HOLDFAST_COMPATIBLE_BASE_URL',
  needsApiKey: false,
  takesIdempotencyKey: true,
  declaresWithheldTools: false,
  connect: ({ apiKey, baseURL }) =>
    createOpenAICompatible({
      name: 'compatible',
      baseURL,
      includeUsage: true,
      fetch: fetchWithoutRedirects,
      ...(apiKey === undefined ? {} : { apiKey }),
    }),
};

/** Every provider by the prefix of its model names. */
export const modelProviders: Readonly<Record<string, ModelProvider>> = {
  openai,
  anthropic,
  google,
  compatible,
};
