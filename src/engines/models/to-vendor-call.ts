import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ModelCall, ModelMessage } from '../../domain/model.ts';
import { parseModelName } from './model-name.ts';
import type { ToolRules } from './schemas/tool-rules.ts';
import { toVendorSchema, type VendorSchema } from './schemas/to-vendor-schema.ts';
import { hostedVendors } from './vendor-catalogue.ts';

/** A call whose tools have the form that its vendor takes. */
export interface VendorCall {
  call: ModelCall;
  /** Returns the arguments that a tool takes, from those that fit its schema at the vendor. */
  fromSdkInput: (name: string, input: JsonObject) => JsonObject;
}

/**
 * Brings the tools of a call into the form that a vendor takes, and the arguments of earlier calls with them. More tools than
 * the vendor takes are left out, from the end.
 */
export function toVendorCall(call: ModelCall, rules: ToolRules): VendorCall {
  const wrappers = new Map<string, string>();
  const tools = call.tools.slice(0, rules.mostTools).map((tool) => {
    const { schema, wrapper } = toForm(tool.schema, rules);
    if (wrapper !== null) wrappers.set(tool.name, wrapper);
    return { ...tool, schema };
  });
  const messages =
    wrappers.size === 0 ? call.messages : call.messages.map((each) => wrapInputs(each, wrappers));
  return {
    call: { ...call, tools, messages },
    fromSdkInput: (name, input) => unwrap(wrappers.get(name), input),
  };
}

/** Returns the arguments of a tool from those that a model wrote into its text. */
export function fromTextInput(
  { model, schema }: { model: string; schema: JsonObject },
  input: JsonObject,
): JsonObject {
  const rules = hostedVendors.get(parseModelName(model).vendor)?.tools;
  const wrapper = rules ? toForm(schema, rules).wrapper : null;
  return unwrap(wrapper ?? undefined, input);
}

/** The forms of schemas for each set of rules: the versions of agents are cached, so that their schemas come again. */
const forms = new WeakMap<ToolRules, WeakMap<JsonObject, VendorSchema>>();

function toForm(schema: JsonObject, rules: ToolRules): VendorSchema {
  const known = forms.get(rules) ?? new WeakMap<JsonObject, VendorSchema>();
  forms.set(rules, known);
  const form = known.get(schema) ?? toVendorSchema(schema, rules);
  known.set(schema, form);
  return form;
}

/** Returns how many tools a model takes in a request; null for any number. */
export function findMostTools(model: string): number | null {
  return hostedVendors.get(parseModelName(model).vendor)?.tools.mostTools ?? null;
}

type Wrappers = ReadonlyMap<string, string>;

function wrapInputs(message: ModelMessage, wrappers: Wrappers): ModelMessage {
  if (message.role !== 'assistant' || message.toolCalls.length === 0) return message;
  const { providerContent } = message;
  return {
    ...message,
    toolCalls: message.toolCalls.map((call) => ({
      ...call,
      arguments: call.arguments && wrap(wrappers.get(call.name), call.arguments),
    })),
    ...(providerContent !== undefined && { providerContent: wrapParts(providerContent, wrappers) }),
  };
}

/** Changes the calls among the parts that `toProviderContent` stored. */
function wrapParts(content: JsonValue, wrappers: Wrappers): JsonValue {
  if (!isJsonObject(content) || !Array.isArray(content.parts)) return content;
  const parts = content.parts.map((part) => {
    if (!isJsonObject(part) || part.type !== 'tool-call') return part;
    const { toolName: name, input } = part;
    if (typeof name !== 'string' || !isJsonObject(input)) return part;
    return { ...part, input: wrap(wrappers.get(name), input) };
  });
  return { ...content, parts };
}

function wrap(wrapper: string | undefined, input: JsonObject): JsonObject {
  return wrapper === undefined ? input : { [wrapper]: input };
}

/** A model may also give the arguments as they are. */
function unwrap(wrapper: string | undefined, input: JsonObject): JsonObject {
  const inner = wrapper === undefined ? undefined : input[wrapper];
  return isJsonObject(inner) && Object.keys(input).length === 1 ? inner : input;
}
