import type { FieldError } from '../../domain/errors.ts';
import type { ToolDraft, ToolInput } from '../../domain/tool.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import type { ToolCatalogues } from './tool-type.ts';

/** A new tool with all its fields, or the errors of those that are missing; their fields are relative to the tool. */
export type CompletedTool = { tool: ToolInput; errors: [] } | { tool: null; errors: FieldError[] };

/** Adds the fields that a caller has left out of a new tool, where its type can look them up. */
export function completeTool(
  draft: ToolDraft,
  catalogues: ToolCatalogues,
  find: FindToolType = findToolType,
): CompletedTool {
  const type = find(draft.type);
  const tool = type?.complete?.(draft, catalogues) ?? draft;
  const { description, schema, config } = tool;
  const missing = Object.entries({ description, schema, config }).filter(([, value]) => value === undefined);
  if (missing.length === 0) return { tool: tool as ToolInput, errors: [] };
  const filled = { ...tool, description: description ?? '', schema: schema ?? {}, config: config ?? {} };
  // A name that is unknown says more than the fields that could not be looked up for it.
  const wrong = type?.check?.(filled as ToolInput, catalogues) ?? [];
  if (wrong.length > 0) return { tool: null, errors: wrong };
  const errors = missing.map(([field]) => ({ field, message: `expected a ${field}, found none` }));
  return { tool: null, errors };
}
