import { createHash } from 'node:crypto';
import type { ApprovalMode } from '../../domain/approval.ts';
import type { ToolDefinition, ToolState } from '../../domain/discovered-tool.ts';
import { mapTexts, showInvisible } from '../../domain/invisible-text.ts';
import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ToolEffect } from '../../domain/tool.ts';

/** The parts of two definitions that are not the same. */
export type DefinitionChanges = NonNullable<ToolState['drift']>['changes'];

const mostChanges = 100;

/** As deep as what is stored may be nested. */
const deepest = 60;

/** JSON whose text is the same for values that are the same, whatever the order of their keys. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Picks the parts of a definition that a pin covers; a server may send more. */
function toPinned(definition: ToolDefinition): JsonObject {
  const { name, description, inputSchema, outputSchema, annotations } = definition;
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** SHA-256 in hex over name, description, input and output schema and annotations, in canonical JSON. */
export function hashDefinition(definition: ToolDefinition): string {
  return createHash('sha256')
    .update(toCanonicalJson(toPinned(definition)))
    .digest('hex');
}

/** Whether a definition is nested deeper than can be stored and compared. */
export function isTooDeep(definition: ToolDefinition): boolean {
  return isDeeperThan(definition, deepest);
}

/**
 * The paths at which two definitions differ, each with what was there and what is there now; null for nothing. Invisible
 * characters are shown by their code, since a person decides about the change.
 */
export function diffDefinitions(before: ToolDefinition, after: ToolDefinition): DefinitionChanges {
  const changes = diffValues(toPinned(before), toPinned(after), '').slice(0, mostChanges);
  return changes.map((change) => ({
    path: showInvisible(change.path),
    before: mapTexts(change.before, showInvisible),
    after: mapTexts(change.after, showInvisible),
  }));
}

function diffValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): DefinitionChanges {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    const same = toCanonicalJson(before ?? null) === toCanonicalJson(after ?? null);
    return same ? [] : [{ path, before: before ?? null, after: after ?? null }];
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => diffValues(before[key], after[key], path === '' ? key : `${path}.${key}`));
}

/**
 * The effect that a server's annotations hint at; `undefined` when they do not say that a call may be repeated. The
 * setting of the operator wins.
 * https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
 */
export function hintedEffect({ annotations }: Pick<ToolDefinition, 'annotations'>): ToolEffect | undefined {
  if (annotations?.readOnlyHint === true) return 'read_only';
  return annotations?.idempotentHint === true ? 'idempotent' : undefined;
}

/**
 * Returns `ask` for a tool whose annotations say that it destroys something, and otherwise no mode. Many
 * servers say nothing, and the default of the specification would make all of their tools ask.
 */
export function hintedApproval({
  annotations,
}: Pick<ToolDefinition, 'annotations'>): ApprovalMode | undefined {
  return annotations?.destructiveHint === true && annotations.readOnlyHint !== true ? 'ask' : undefined;
}
