import { z } from 'zod';
import { toolFields, type Tool, type ToolDraft } from '../../domain/tool.ts';
import { listToolTypes } from './find-tool-type.ts';
import type { ToolTypeRecord } from './tool-type.ts';

function toInputSchema(record: ToolTypeRecord) {
  const { type } = record;
  const fields = { ...toolFields, config: z.strictObject(record.config.shape) };
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
    /** A tool as an agent version keeps it. */
    toolSchema: toUnion(stored, known) as unknown as z.ZodType<Tool, Tool>,
  };
}

/** The schemas of tools. */
export type ToolSchemas = ReturnType<typeof createToolSchemas>;

/** The schemas of tools of all types. */
export const toolSchemas = createToolSchemas(listToolTypes());
export const { toolInputSchema, toolSchema } = toolSchemas;
