import type { JsonObject } from '../../domain/json.ts';
import type { ToolEffect } from '../../domain/tool.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import type { EffectiveTool, EffectSources } from './tool-type.ts';

/**
 * Builds the function that returns the effect of a call: the one that the operator has set, else the one of the tool's
 * type, which may depend on the arguments, else `unsafe`.
 */
export function createEffectOf(sources: EffectSources, find: FindToolType = findToolType) {
  return (tool: EffectiveTool, toolArguments?: JsonObject): ToolEffect => {
    const type = find(tool.type);
    if (type?.isHarmless?.(tool, toolArguments)) return 'read_only';
    return tool.settings?.effect ?? type?.effect?.(tool, toolArguments, sources) ?? 'unsafe';
  };
}
