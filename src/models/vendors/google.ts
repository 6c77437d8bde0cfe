import { createGoogle } from '@ai-sdk/google';
import type { HostedVendor } from '../model-vendor.ts';

/** Models of Google, through the Gemini API. */
export const google: HostedVendor = {
  kind: 'hosted',
  apiKeyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  needsApiKey: true,
  publicBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyPattern: /\bAIza[\w*-]{8,}/g,
  toKeyHeaders: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  connect: ({ apiKey = '', ...options }) => createGoogle({ apiKey, ...options }),
  makesEmbeddings: true,
  makesImages: true,
  takesIdempotencyKey: false,
  declaresWithheldTools: false,
  optionsName: 'google',
};
