import { jsonSchema, Output, type streamText } from 'ai';
import type { JsonObject } from '../../domain/json.ts';
import { findModelFacts } from '../../domain/known-models.ts';
import type { ModelCall, ModelMessage } from '../../domain/model.ts';
import { toSchemaRequest } from '../../domain/response-schema.ts';
import type { HostedVendor, ProviderOptions, WantedAnswer } from './model-vendor.ts';
import type { SdkTools } from './to-sdk-tools.ts';

/** The parts of a request by which a model answers as a schema says. */
interface SdkAnswer {
  messages: ModelMessage[];
  output?: NonNullable<Parameters<typeof streamText>[0]['output']>;
  options?: ProviderOptions[string];
}

interface AnswerOptions {
  vendor: Pick<HostedVendor, 'toSchemaOptions'>;
  modelId: string;
  /** The tools of the request. */
  tools: SdkTools;
}

/**
 * Lets the vendor hold the answer to the schema of a call where it can. Otherwise the model is asked for it behind the
 * newest message of the user: the instructions stay the same for all calls, so that the vendor's cache holds.
 */
export function toSdkAnswer(call: ModelCall, options: AnswerOptions): SdkAnswer {
  const { messages, responseSchema } = call;
  if (!responseSchema) return { messages };
  const native = isNative(call) ? options.vendor.toSchemaOptions(toWanted(responseSchema, options)) : null;
  if (!native) return { messages: withRequest(messages, toSchemaRequest(responseSchema)) };
  return {
    messages,
    output: Output.object({ schema: jsonSchema(toPlain(responseSchema)) }),
    options: native,
  };
}

/** Returns what to change when a vendor refuses a request that holds a schema; undefined for other requests. */
export function toSchemaHint(call: ModelCall): string | undefined {
  if (!call.responseSchema || !isNative(call)) return undefined;
  return (
    'The request asked the vendor to hold the answer to the response schema. If the model does not take one, set ' +
    'modelSettings.structuredOutput of the agent to "asked".'
  );
}

function isNative({ model, structuredOutput }: ModelCall): boolean {
  return structuredOutput ? structuredOutput === 'native' : findModelFacts(model)?.structuredOutput === true;
}

function toWanted(
  schema: JsonObject,
  { modelId, tools: { tools, toolChoice = 'auto' } }: AnswerOptions,
): WantedAnswer {
  return { schema, modelId, tools: tools ? toUse(toolChoice) : 'none' };
}

function toUse(toolChoice: NonNullable<SdkTools['toolChoice']>): WantedAnswer['tools'] {
  if (toolChoice === 'none') return 'forbidden';
  return toolChoice === 'auto' ? 'allowed' : 'required';
}

/** Vendors know one version of JSON Schema. */
function toPlain(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema'));
}

function withRequest(messages: ModelMessage[], request: string): ModelMessage[] {
  const index = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, position) => {
    if (position !== index || message.role !== 'user') return message;
    const { text, parts } = message;
    return parts
      ? { ...message, parts: [...parts, { type: 'text', text: request }] }
      : { ...message, text: `${text}\n\n${request}` };
  });
}
