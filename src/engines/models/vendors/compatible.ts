import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { compatibleFiles } from '../file-support.ts';
import { toBearerHeaders, type ConnectOptions, type HostedVendor } from '../model-vendor.ts';
import { chatPieces } from '../pieces/chat-pieces.ts';
import { isStrictSchema } from '../schemas/strict-schema.ts';

/** Models of any server that speaks the Chat Completions protocol of OpenAI, such as vLLM or Ollama. */
export const compatible: HostedVendor = {
  kind: 'hosted',
  apiKeyVariable: 'HOLDFAST_COMPATIBLE_API_KEY',
  needsApiKey: false,
  baseUrlVariable: 'HOLDFAST_COMPATIBLE_BASE_URL',
  publicBaseUrl: null,
  toKeyHeaders: toBearerHeaders,
  connect,
  pieces: chatPieces,
  makesEmbeddings: true,
  makesImages: true,
  takesIdempotencyKey: true,
  declaresWithheldTools: false,
  optionsName: 'compatible',
  toSchemaOptions: ({ schema }) => ({ strictJsonSchema: isStrictSchema(schema) }),
  files: compatibleFiles,
  toParallelOptions: (allowed) => ({ parallel_tool_calls: allowed }),
};

function connect({ apiKey, ...options }: ConnectOptions) {
  const key = apiKey === undefined ? {} : { apiKey };
  return createOpenAICompatible({
    ...{ name: 'compatible', includeUsage: true, supportsStructuredOutputs: true },
    ...options,
    ...key,
  });
}
