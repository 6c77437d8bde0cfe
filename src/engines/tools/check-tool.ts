import type { FieldError } from '../../domain/errors.ts';
import type { ToolInput, ToolSettings } from '../../domain/tool.ts';
import { checkCondition } from './check-rules.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import { schemaChecksOf } from './json-schema/schema-checks.ts';
import type { CheckedTool, ToolCatalogues, ToolLookups } from './tool-type.ts';

/** Returns the errors of a tool of a workspace; their fields are relative to the tool. */
export type ToolCheck = (tool: ToolInput, workspaceId: string) => Promise<FieldError[]>;

/** Builds the check of a tool that needs no lookups: its schema, and the config that its type needs. */
export function createToolCheck(catalogues: ToolCatalogues, find: FindToolType = findToolType): ToolCheck {
  return async (tool, workspaceId) => {
    const checks = schemaChecksOf(workspaceId);
    const schemaProblem = await checks.findForeignProblem(tool.schema);
    const type = find(tool.type);
    return [
      ...(schemaProblem === null ? [] : [{ field: 'schema', message: schemaProblem }]),
      ...findMissing(tool, type?.needs ?? []),
      ...findWrongSettings(tool),
      ...(await checkSettings(tool.settings, workspaceId)),
      ...(type?.check?.(tool, catalogues) ?? []),
    ];
  };
}

/** Says which settings of a tool cannot be kept as they are written. */
export async function checkSettings(
  settings: Pick<ToolSettings, 'approvalWhen'> | undefined,
  workspaceId: string,
): Promise<FieldError[]> {
  const wrong = await checkCondition(settings ?? {}, schemaChecksOf(workspaceId));
  return wrong.map(({ field, message }) => ({ field: `settings.${field}`, message }));
}

/** A call is made again only when that has no second effect. */
function findWrongSettings({ settings }: ToolInput): FieldError[] {
  const { effect, settleAfterMs } = settings ?? {};
  if (settleAfterMs === undefined || (effect !== 'unsafe' && effect !== 'read_only')) return [];
  const message = `expected "keyed" or "idempotent" beside settleAfterMs, found "${effect}"`;
  return [{ field: 'settings.effect', message }];
}

function findMissing({ type, config }: ToolInput, needed: readonly string[]): FieldError[] {
  const isGiven = Object.entries(config).some(
    ([name, value]) => value !== undefined && needed.includes(name),
  );
  if (isGiven || needed.length === 0) return [];
  const fields = needed.map((name) => `config.${name}`).join(' or ');
  return [{ field: `config.${needed[0] ?? ''}`, message: `a tool of type ${type} needs ${fields}` }];
}

/**
 * Checks that what the `config` of a tool points to exists and belongs to the caller. The fields of the errors are
 * relative to the tool.
 * @throws HoldfastError `CONNECTION_ACCESS_DENIED` or `CONNECTION_NOT_ACTIVE`
 */
export async function checkToolTarget(
  tool: ToolInput,
  lookups: ToolLookups,
  find: FindToolType = findToolType,
): Promise<CheckedTool> {
  return (await find(tool.type)?.checkTarget?.(tool, lookups)) ?? { tool, errors: [] };
}
