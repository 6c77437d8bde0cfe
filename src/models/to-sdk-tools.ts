import { jsonSchema, type ToolSet } from 'ai';
import type { ModelCall, ModelMessage, ModelTool } from '../domain/model.ts';
import type { ModelProvider } from './model-providers.ts';
import type { SdkToolNames } from './sdk-tool-names.ts';

interface SdkTools {
  tools?: ToolSet;
  toolChoice?: 'none';
}

interface SdkToolOptions {
  provider: Pick<ModelProvider, 'declaresWithheldTools'>;
  names: Pick<SdkToolNames, 'toSdkName'>;
}

/**
 * The tools of a call and whether they may be called, for the AI SDK; without a function to run, since
 * Holdfast runs them itself. Empty when the provider is to be shown no tools.
 */
export function toSdkTools(
  { tools, toolChoice, messages }: Pick<ModelCall, 'tools' | 'toolChoice' | 'messages'>,
  { provider, names }: SdkToolOptions,
): SdkTools {
  if (tools.length > 0 && toolChoice !== 'none') return { tools: toToolSet(tools, names) };
  if (!provider.declaresWithheldTools) return {};
  const declared = tools.length > 0 ? tools : listFormerTools(messages);
  return declared.length > 0 ? { tools: toToolSet(declared, names), toolChoice: 'none' } : {};
}

function toToolSet(tools: ModelTool[], { toSdkName }: SdkToolOptions['names']): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      toSdkName(name),
      // Some providers refuse an object schema that does not name its type and its properties.
      { description, inputSchema: jsonSchema({ type: 'object', properties: {}, ...schema }) },
    ]),
  );
}

/** An agent that has lost its tools still has a conversation with calls of them. */
function listFormerTools(messages: ModelMessage[]): ModelTool[] {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({
    name,
    description: 'No longer available.',
    schema: {},
  }));
}
