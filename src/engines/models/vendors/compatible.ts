import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { compatibleFiles } from '../file-support.ts';
import { toBearerHeaders, type ConnectOptions, type HostedVendor } from '../model-vendor.ts';
import { chatPieces } from '../pieces/chat-pieces.ts';
import { commonCallId } from '../unique-call-ids.ts';
import { isStrictSchema } from '../schemas/strict-schema.ts';
import { functionRules } from '../schemas/tool-rules.ts';

/** Mistral's models take ids of nine letters and digits alone. */
const mistral = /m(?:in|ag)?istral|mixtral|codestral|devstral|pixtral|voxtral/i;
const mistralCallId = /^[a-zA-Z0-9]{9}$/;

/** Kimi's models count their calls by the ids, and lose their way with other ones. */
const kimi = /kimi|moonshot/i;
const kimiCallId = /^(?:functions\.[a-zA-Z0-9_-]+:\d+|[a-zA-Z0-9_-]{1,40})$/;

/** Models that write their reasoning into their text, in `<think>`, where the server does not take it out. */
const reasoningFamilies =
  /deepseek-?r1|r1-distill|qwq|qwen-?3|glm-?(?:4\.[5-9]|z1)|phi-?4\S*-reasoning|minimax-?m\d|nemotron|exaone-?deep|smollm3/i;

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
  alternatesRoles: true,
  writesReasoning: (modelId) => reasoningFamilies.test(modelId),
  toCallIds: (modelId) =>
    mistral.test(modelId) ? mistralCallId : kimi.test(modelId) ? kimiCallId : commonCallId,
  optionsName: 'compatible',
  toSchemaOptions: ({ schema }) => ({ strictJsonSchema: isStrictSchema(schema) }),
  files: compatibleFiles,
  // How many tools a server takes is not known.
  tools: functionRules,
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
