import { mapTexts, stripInvisible } from './invisible-text.ts';
import type { JsonObject } from './json.ts';
import type { ModelTool } from './model.ts';
import type { Tool } from './tool.ts';

/** Leaves out invisible characters of definitions that a server wrote: a person who accepted one did not see them. */
export function toModelTool({ type, name, description, schema }: Tool): ModelTool {
  if (type !== 'mcp') return { name, description, schema };
  return {
    name,
    description: stripInvisible(description),
    schema: mapTexts(schema, stripInvisible) as JsonObject,
  };
}
