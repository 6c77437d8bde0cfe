import { z } from 'zod';
import { isJsonObject } from '../../domain/json.ts';
import { toolFields, type Tool, type ToolDraft, type ToolType } from '../../domain/tool.ts';
import { findToolType, listToolTypes, type FindToolType } from './find-tool-type.ts';
import type { ToolTypeRecord } from './tool-type.ts';

/** The fields of an object that are among the named ones. */
function pick(value: object, names: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names(name)));
}

/** The `config` of a new tool: its own fields; those that are ignored are dropped, others are refused. */
function toConfigInputSchema({ config, ignoredFields = [] }: ToolTypeRecord) {
  const ignored = new Set(ignoredFields.filter((name) => !(name in config.shape)));
  const dropIgnored = (value: unknown) =>
    isJsonObject(value) ? pick(value, (name) => !ignored.has(name)) : value;
  return z.preprocess(dropIgnored, z.strictObject(config.shape));
}

function toInputSchema(record: ToolTypeRecord) {
  const { type } = record;
  const fields = { ...toolFields, config: toConfigInputSchema(record) };
  const { description, schema, config } = fields;
  const completed = {
    description: description.optional(),
    schema: schema.optional(),
    config: config.optional(),
  };
  return z.strictObject({ type: z.literal(type), ...fields, ...(record.complete && completed) });
}

function toStoredSchema({ type, config }: ToolTypeRecord) {
  return z.object({ id: z.string(), type: z.literal(type), ...toolFields, config: z.object(config.shape) });
}

type Variants = [z.ZodObject, ...z.ZodObject[]];

function toUnion(variants: z.ZodObject[], known: string) {
  return z.discriminatedUnion('type', variants as Variants, {
    error: ({ code }: z.core.$ZodRawIssue) =>
      code === 'invalid_union' ? `expected one of ${known}` : undefined,
  });
}

/** Creates the schemas of tools of these types. */
export function createToolSchemas(types: readonly ToolTypeRecord[]) {
  const known = types.map(({ type }) => `"${type}"`).join('|');
  /** The schemas of tools of each type, as callers give them and as an agent version keeps them. */
  const schemasByType = types.map((record) => ({
    type: record.type,
    input: toInputSchema(record),
    stored: toStoredSchema(record),
  }));
  const inputs = schemasByType.map(({ input }) => input);
  const stored = schemasByType.map((schemas) => schemas.stored);
  return {
    schemasByType,
    /** A tool as a caller gives it. */
    toolInputSchema: toUnion(inputs, known) as unknown as z.ZodType<ToolDraft, ToolDraft>,
    /** A tool as an agent version keeps it. What older versions hold besides the fields of its type is left out. */
    toolSchema: toUnion(stored, known) as unknown as z.ZodType<Tool, Tool>,
  };
}

/** The schemas of tools. */
export type ToolSchemas = ReturnType<typeof createToolSchemas>;

/** The schemas of tools of all types. */
export const toolSchemas = createToolSchemas(listToolTypes());
export const { toolInputSchema, toolSchema } = toolSchemas;

/** The fields of a tool's `config` that belong to its type: older agent versions may hold those of other types too. */
export function toOwnConfig(
  { type, config }: { type: ToolType; config: object },
  find: FindToolType = findToolType,
): Record<string, unknown> {
  const shape = find(type)?.config.shape;
  return shape ? pick(config, (name) => name in shape) : { ...config };
}
