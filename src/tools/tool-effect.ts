import type { JsonObject } from '../domain/json.ts';
import type { ToolConfig, ToolEffect, ToolSettings, ToolType } from '../domain/tool.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import { effectOfFunction, functionNameOf, type FunctionRegistry } from './functions/function-registry.ts';

interface EffectiveTool {
  type: ToolType;
  name: string;
  config: ToolConfig;
  settings?: ToolSettings | undefined;
}

/** Who knows what their tools do to the world. */
export interface EffectParts {
  functions: Pick<FunctionRegistry, 'find'>;
  /** Knows what the operations of the catalogue do; without it they are all `unsafe`. */
  providers?: Pick<ProviderRegistry, 'effectOf'>;
}

/**
 * Makes the function that tells what calling a tool does to the world: as its operator set it, else as its function
 * says, which may depend on the arguments, or the operation of its provider, else `unsafe`.
 */
export function createEffectOf({ functions, providers }: EffectParts) {
  return (tool: EffectiveTool, toolArguments?: JsonObject): ToolEffect => {
    // Whatever the operator said is said of calls; a list of the gateway changes nothing.
    if (tool.config.gateway === true && toolArguments?.action === 'list') return 'read_only';
    if (tool.settings?.effect) return tool.settings.effect;
    if (tool.type === 'knowledge_base') return 'read_only';
    if (tool.type === 'mcp') return effectOfOperation(providers, tool);
    const found = tool.type === 'function' ? functions.find(functionNameOf(tool)) : undefined;
    return found ? effectOfFunction(found, toolArguments) : 'unsafe';
  };
}

/** The effect of a provider's operation; what the tools of MCP servers do is not known. */
function effectOfOperation(providers: EffectParts['providers'], { name, config }: EffectiveTool): ToolEffect {
  const { provider, connectionId, tool = name } = config;
  const isOperation = provider !== undefined && connectionId !== undefined;
  return (isOperation ? providers?.effectOf(provider, tool) : undefined) ?? 'unsafe';
}
