import { z } from 'zod';
import type { FieldError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';

/**
 * The JSON Schema of the arguments of a function, as models are shown it.
 * @throws TypeError that names the function and says why its arguments have no JSON Schema
 */
export function toJsonSchema(name: string, input: z.ZodType): JsonObject {
  try {
    const schema = z.toJSONSchema(input, { io: 'input', override: simplify });
    if (schema.type !== 'object') throw new TypeError('expected z.object(…)');
    delete schema.$schema;
    return JSON.parse(JSON.stringify(schema)) as JsonObject;
  } catch (error) {
    throw toDefinitionError(name, `its input has no JSON Schema: ${(error as Error).message}`);
  }
}

/**
 * Forbids unknown arguments in the schema, which helps models; `z.looseObject` still allows them. The pattern that zod
 * adds to a format is left out: zod checks the arguments again, and patterns are checked in a thread, which a busy machine
 * may not give time to.
 */
function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && !def.catchall) jsonSchema.additionalProperties = false;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

/** The error for a function that cannot be used. */
export function toDefinitionError(name: unknown, problem: string): TypeError {
  return new TypeError(`The function ${JSON.stringify(name)} cannot be used: ${problem}`);
}

/** An issue of zod as the error of one argument. */
export function toFieldError({ path, message }: z.core.$ZodIssue): FieldError {
  return { field: path.map(String).join('.'), message };
}
