import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { jsonObjectSchema } from '../../domain/json-value.ts';
import type { ResourceOperation } from '../../domain/resource.ts';
import { schemaHints, type ResourceKind } from './resource-kind.ts';
import { getResourceKind } from './resource-kinds.ts';

const id = z.uuid().describe('The id of the resource');
const version = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .describe('The version that you have seen; a change of another one is refused');

/** The arguments of one operation on resources of one kind. */
type Arguments = z.ZodType<{ op: ResourceOperation; resource_type: string } & JsonObject>;

type ToArguments = (kind: ResourceKind) => Record<string, z.ZodType>;

/** The fields of the arguments besides `op` and `resource_type`. */
const fieldsOf: Record<ResourceOperation, ToArguments> = {
  find: ({ filters }) => ({
    id: z.uuid().optional().describe('Gives this resource whole'),
    query: z.string().min(1).max(1000).optional().describe('Words, phrases in quotes, or, and -word'),
    filters: filters.optional(),
    limit: z.int().min(1).max(50).optional().describe('The most results; 10 by default'),
    cursor: z.uuid().optional().describe('nextCursor of the page before'),
  }),
  add: ({ attributes }) => ({ attributes }),
  update: ({ change }) => ({ id, version, attributes: change }),
  delete: () => ({ id, version }),
};

/** Builds the schema that checks the arguments of an operation on resources of a kind. */
export function toArgumentSchema(kind: ResourceKind, op: ResourceOperation): Arguments {
  const named = { op: z.literal(op), resource_type: z.literal(kind.kind) };
  return z.strictObject({ ...named, ...fieldsOf[op](kind) });
}

/**
 * The JSON Schema (2020-12) of the arguments of an operation, made from the zod schema that checks them: it accepts and
 * refuses the same arguments.
 * @throws HoldfastError `INVALID_INPUT` for a kind that is not known
 */
export function toOperationSchema(kind: string, op: ResourceOperation): JsonObject {
  const schema = z.toJSONSchema(toArgumentSchema(getResourceKind(kind), op), {
    io: 'input',
    // Other parts of the program give ids to schemas in the global registry, which would become references.
    metadata: schemaHints,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
      if (isAnyObject(zodSchema)) jsonSchema.type = 'object';
    },
  });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

function isAnyObject(schema: z.core.$ZodType): boolean {
  for (let one: z.core.$ZodType | undefined = schema; one; one = one._zod.parent)
    if (one === (jsonObjectSchema as z.core.$ZodType)) return true;
  return false;
}
