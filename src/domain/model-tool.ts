import { mapTexts, stripInvisible } from './invisible-text.ts';
import type { JsonObject } from './json.ts';
import type { ModelTool } from './model.ts';
import type { Tool } from './tool.ts';

/** The schemas of tools of servers as models get them: agent versions are cached, so that their tools come again. */
const schemas = new WeakMap<JsonObject, JsonObject>();

/** Leaves out invisible characters of definitions that a server wrote: a person who accepted one did not see them. */
export function toModelTool({ type, name, description, schema }: Tool): ModelTool {
  if (type !== 'mcp') return { name, description, schema };
  const shown = schemas.get(schema) ?? (mapTexts(schema, stripInvisible) as JsonObject);
  schemas.set(schema, shown);
  return { name, description: stripInvisible(description), schema: shown };
}
