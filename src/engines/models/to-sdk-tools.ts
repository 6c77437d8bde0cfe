import { jsonSchema, type ToolChoice, type ToolSet } from 'ai';
import type { ModelCall, ModelMessage, ModelTool } from '../../domain/model.ts';
import type { HostedVendor } from './model-vendor.ts';
import type { SdkToolNames } from './sdk-tool-names.ts';

/** The tools of a request, and whether the model may call them. */
export interface SdkTools {
  tools?: ToolSet;
  toolChoice?: ToolChoice<ToolSet>;
}

interface SdkToolOptions {
  vendor: Pick<HostedVendor, 'declaresWithheldTools' | 'declaresFormerTools'>;
  names: Pick<SdkToolNames, 'toSdkName'>;
}

/**
 * Maps the tools of a call, and whether the model may call them, to the AI SDK. The tools have no `execute`, since
 * Holdfast runs them. Empty when the vendor is shown no tools.
 */
export function toSdkTools(
  { tools, toolChoice, messages }: Pick<ModelCall, 'tools' | 'toolChoice' | 'messages'>,
  { vendor, names }: SdkToolOptions,
): SdkTools {
  if (tools.length > 0 && toolChoice !== 'none') {
    const asked = toSdkChoice({ tools, toolChoice }, names);
    return { tools: toToolSet(tools, names), ...(asked && { toolChoice: asked }) };
  }
  if (!vendor.declaresWithheldTools) return {};
  const declared = tools.length > 0 || !vendor.declaresFormerTools ? tools : listFormerTools(messages);
  return declared.length > 0 ? { tools: toToolSet(declared, names), toolChoice: 'none' } : {};
}

/** A tool that the call does not have, since a rule blocks it, is not asked for. */
function toSdkChoice(
  { tools, toolChoice }: { tools: ModelTool[]; toolChoice: ModelCall['toolChoice'] | undefined },
  { toSdkName }: SdkToolOptions['names'],
): ToolChoice<ToolSet> | undefined {
  if (typeof toolChoice !== 'object') return toolChoice === 'required' ? toolChoice : undefined;
  const { tool } = toolChoice;
  return tools.some(({ name }) => name === tool) ? { type: 'tool', toolName: toSdkName(tool) } : undefined;
}

function toToolSet(tools: ModelTool[], { toSdkName }: SdkToolOptions['names']): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      toSdkName(name),
      // Some vendors refuse a schema without `type` and `properties`.
      { description, inputSchema: jsonSchema({ type: 'object', properties: {}, ...schema }) },
    ]),
  );
}

/** An agent without tools may have a conversation with calls of the tools that it had before. */
function listFormerTools(messages: ModelMessage[]): ModelTool[] {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({
    name,
    description: 'No longer available.',
    schema: {},
  }));
}
