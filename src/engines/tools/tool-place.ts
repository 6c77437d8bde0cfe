import type { Tool } from '../../domain/tool.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import type { Place, ToolBox } from './place.ts';

/**
 * Finds the place that a tool leads to, as its type says; null for a tool that leads nowhere, and for one whose type this
 * program does not know.
 */
export function findPlace(tool: Tool, box: ToolBox, find: FindToolType = findToolType): Place | null {
  return find(tool.type)?.place(tool, box) ?? null;
}
