import type { FieldError } from './errors.ts';
import type { JsonObject } from './json.ts';

/** Returns the checks of schemas, and of values against them, within the limits of one workspace. */
export type SchemaChecksOf = (workspaceId: string) => {
  checkSchema: (schema: JsonObject, input: JsonObject) => Promise<FieldError[]>;
  /** Returns the first problem of a schema; null when it can be used. */
  findSchemaProblem: (schema: JsonObject) => Promise<string | null>;
};
