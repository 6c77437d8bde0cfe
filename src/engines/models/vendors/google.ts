import { createGoogle } from '@ai-sdk/google';
import { googleFiles } from '../file-support.ts';
import type { HostedVendor } from '../model-vendor.ts';
import { walkSchema } from '../schemas/walk-schema.ts';

const takesSchemaBesideTools = /^gemini-(?:[3-9]|\d\d)/;

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
  declaresWithheldTools: true,
  optionsName: 'google',
  // Models before Gemini 3 take a schema or tools; a call that has to use a tool gets no schema from the AI SDK.
  toSchemaOptions: ({ schema, modelId, tools }) => {
    const takes = tools === 'none' || (tools !== 'required' && takesSchemaBesideTools.test(modelId));
    return takes && !walkSchema(schema).isRecursive ? { structuredOutputs: true } : null;
  },
  files: googleFiles,
  // See https://ai.google.dev/api/caching#FunctionDeclaration, and `responseJsonSchema` there for the part of JSON Schema.
  tools: { refusedOnTop: [], mostTools: 128, wantsBareReferences: true, wantsPlainValues: true },
};
