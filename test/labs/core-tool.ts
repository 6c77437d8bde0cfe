import type { ToolInputOf, ToolSettings } from '../../src/domain/tool.ts';
import { createBuiltInFunctions } from '../../src/engines/tools/functions/built-in-functions.ts';

/** A tool that calls a built-in function by its name. */
export function coreTool(name: string, settings?: ToolSettings): ToolInputOf<'function'> {
  const found = createBuiltInFunctions().find((each) => each.name === name);
  if (!found) throw new Error(`there is no function ${name}`);
  const { description, schema } = found;
  return { type: 'function', name, description, schema, config: {}, ...(settings ? { settings } : {}) };
}
