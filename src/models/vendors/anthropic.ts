import { createAnthropic } from '@ai-sdk/anthropic';
import type { HostedVendor } from '../model-vendor.ts';

/** Models of Anthropic, through its Messages API. */
export const anthropic: HostedVendor = {
  kind: 'hosted',
  apiKeyVariable: 'ANTHROPIC_API_KEY',
  needsApiKey: true,
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  publicBaseUrl: 'https://api.anthropic.com/v1',
  keyPattern: /\bsk-ant-[\w*.-]{4,}/g,
  toKeyHeaders: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  connect: ({ apiKey = '', ...options }) => createAnthropic({ apiKey, ...options }),
  makesEmbeddings: false,
  makesImages: false,
  takesIdempotencyKey: true,
  declaresWithheldTools: true,
  optionsName: 'anthropic',
  toParallelOptions: (allowed) => ({ disableParallelToolUse: !allowed }),
};
