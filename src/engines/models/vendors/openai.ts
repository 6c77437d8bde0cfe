import { createOpenAI } from '@ai-sdk/openai';
import { openaiFiles } from '../file-support.ts';
import { toBearerHeaders, type HostedVendor } from '../model-vendor.ts';
import { responsesPieces } from '../pieces/responses-pieces.ts';
import { isStrictSchema } from '../schemas/strict-schema.ts';
import { functionRules } from '../schemas/tool-rules.ts';

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
  pieces: responsesPieces,
  makesEmbeddings: true,
  makesImages: true,
  takesIdempotencyKey: true,
  declaresWithheldTools: true,
  // Requests are routed to caches by their first tokens and this key, at most about 15 a minute for each pair.
  toCacheOptions: (conversation) => ({ promptCacheKey: conversation }),
  // Conversations live in our database: encrypted reasoning travels with them instead of ids of stored items.
  fixedOptions: { store: false },
  optionsName: 'openai',
  // Strict mode refuses schemas with other keywords or optional fields; without it the schema is a hint, and is checked here.
  toSchemaOptions: ({ schema }) => ({ strictJsonSchema: isStrictSchema(schema) }),
  files: openaiFiles,
  tools: { ...functionRules, mostTools: 128 },
  toParallelOptions: (allowed) => ({ parallelToolCalls: allowed }),
};
