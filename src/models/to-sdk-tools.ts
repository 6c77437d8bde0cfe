import { jsonSchema, type ToolSet } from 'ai';
import type { ModelTool } from '../domain/model.ts';

/** Maps tools for the AI SDK, without a function to run: Holdfast runs them itself. Undefined when there are none. */
export function toSdkTools(tools: ModelTool[]): ToolSet | undefined {
  if (tools.length === 0) return undefined;
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      name,
      // Some providers refuse an object schema that does not name its type and its properties.
      { description, inputSchema: jsonSchema({ type: 'object', properties: {}, ...schema }) },
    ]),
  );
}
