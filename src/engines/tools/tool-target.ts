import type { AttachedConnector } from '../../domain/connector.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Tool } from '../../domain/tool.ts';
import { findToolType } from './find-tool-type.ts';
import type { ToolTarget } from './tool-type.ts';

const nowhere: ToolTarget = { connector: null, target: null };

/** Finds the server that a call goes to, from the tool and its arguments alone. */
export function toolTargetOf(
  tool: Tool,
  toolArguments: JsonObject,
  connectors: AttachedConnector[],
): ToolTarget {
  return findToolType(tool.type)?.target?.(tool, toolArguments, connectors) ?? nowhere;
}
