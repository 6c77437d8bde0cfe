import { createOpenAI } from '@ai-sdk/openai';
import { toBearerHeaders, type HostedVendor } from '../model-vendor.ts';

/** Models of OpenAI, through its Responses API. */
export const openai: HostedVendor = {
  kind: 'hosted',
  apiKeyVariable: 'OPENAI_API_KEY',
  needsApiKey: true,
  baseUrlVariable: 'OPENAI_BASE_URL',
  publicBaseUrl: 'https://api.openai.com/v1',
  keyPattern: /\bsk-[\w*.-]{4,}/g,
  toKeyHeaders: toBearerHeaders,
  connect: ({ apiKey = '', ...options }) => createOpenAI({ apiKey, ...options }),
  makesEmbeddings: true,
  makesImages: true,
  takesIdempotencyKey: true,
  declaresWithheldTools: false,
  // Conversations live in our database: encrypted reasoning travels with them instead of ids of stored items.
  fixedOptions: { store: false },
  optionsName: 'openai',
  toParallelOptions: (allowed) => ({ parallelToolCalls: allowed }),
};
