import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { findSchemaCompiler } from '../../../engines/tools/json-schema/schema-compiler.ts';
import { defineKind, schemaHints } from '../resource-kind.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

function isSchema(value: unknown): boolean {
  if (!isJsonObject(value) || (value.$schema !== undefined && value.$schema !== dialect)) return false;
  return findSchemaCompiler({})?.validateSchema(value) === true;
}

const schema = z.custom<JsonObject>(isSchema, 'expected a JSON Schema (2020-12) that is an object');
schemaHints.add(schema, { type: 'object', properties: { $schema: { const: dialect } }, $ref: dialect });

/** Standards: JSON Schemas that data has to fit. */
export const standard = defineKind({
  kind: 'standard',
  description: 'A JSON Schema (2020-12) that data of one sort has to fit.',
  fields: { schema: schema.describe('The JSON Schema') },
  textOf: ({ schema: stored }) => JSON.stringify(stored),
});
