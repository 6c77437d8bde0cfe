import type { AttachedConnector } from '../../domain/connector.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Tool } from '../../domain/tool.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import type { ToolTarget } from './tool-type.ts';

const nowhere: ToolTarget = { connector: null, target: null };

/** Creates the function that finds the server that a call goes to, from the tool and its arguments alone. */
export function createToolTargetOf(find: FindToolType) {
  return (tool: Tool, toolArguments: JsonObject, connectors: AttachedConnector[]): ToolTarget =>
    find(tool.type)?.target?.(tool, toolArguments, connectors) ?? nowhere;
}

/** Finds the server that a call goes to, from the tool and its arguments alone. */
export const toolTargetOf = createToolTargetOf(findToolType);
