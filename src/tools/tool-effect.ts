import type { JsonObject } from '../domain/json.ts';
import type { ToolConfig, ToolEffect, ToolSettings, ToolType } from '../domain/tool.ts';
import { findBuiltInFunction } from './built-in-functions.ts';
import { functionNameOf } from './function-tool.ts';

interface EffectiveTool {
  type: ToolType;
  name: string;
  config: ToolConfig;
  settings?: ToolSettings | undefined;
}

/**
 * What calling a tool does to the world: as its operator set it, else as its built-in function says, which may
 * depend on the arguments, else `unsafe`.
 */
export function effectOf(tool: EffectiveTool, toolArguments?: JsonObject): ToolEffect {
  if (tool.settings?.effect) return tool.settings.effect;
  const effect = tool.type === 'function' ? findBuiltInFunction(functionNameOf(tool))?.effect : undefined;
  return typeof effect === 'function' ? effect(toolArguments) : (effect ?? 'unsafe');
}
