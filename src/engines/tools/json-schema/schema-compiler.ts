import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../domain/json.ts';
import { linearRegExp } from './linear-regexp.ts';
import { withoutUnusablePatterns } from './usable-schema.ts';

const options = {
  strict: false,
  // `JSON.parse` reads 1e999 as infinity, which is no number of JSON.
  strictNumbers: true,
  // Every definition is compiled once: a short schema could otherwise become megabytes of code.
  inlineRefs: false,
  // `constructor` and the like are no arguments.
  ownProperties: true,
  logger: false,
  code: { regExp: linearRegExp },
} as const;

/** The versions of JSON Schema that a tool may be described in, by what `$schema` says. */
const compilers = {
  'draft-07': new Ajv(options),
  '2020-12': new Ajv2020(options),
};
// The formats of mode "full" hold regular expressions whose time grows faster than the text.
for (const compiler of Object.values(compilers)) {
  addFormats.default(compiler, { mode: 'fast' });
  // The schema of schemas holds each pattern to this format, which is stricter than those who write patterns: `\-` is none.
  compiler.addFormat('regex', true);
}

/** ajv for one version of JSON Schema. */
export type SchemaCompiler = Ajv | Ajv2020;

/** The limit of the compiled schemas that are kept, in characters of their JSON; the code is about twenty times as long. */
const maxCharacters = 1024 * 1024;

const compiled = new LRUCache<string, ValidateFunction>({
  maxSize: maxCharacters,
  sizeCalculation: (_validate, key) => 200 + key.length,
});

/** The compiler for a schema, 2020-12 when it does not say; null when it names a version that is not known. */
export function findSchemaCompiler(schema: JsonObject): SchemaCompiler | null {
  const version = schema.$schema;
  if (version === undefined) return compilers['2020-12'];
  if (typeof version !== 'string') return null;
  if (version.includes('json-schema.org/draft/2020-12/')) return compilers['2020-12'];
  return version.includes('json-schema.org/draft-07/') ? compilers['draft-07'] : null;
}

/** A schema without `$schema`, once that has done its work: ajv knows one spelling of each version only. */
export function withoutVersion(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function compileSchema(schema: JsonObject): ValidateFunction {
  const compiler = findSchemaCompiler(schema) ?? compilers['2020-12'];
  const plain: AnySchemaObject = withoutVersion(withoutUnusablePatterns(schema));
  try {
    return compiler.compile(plain);
  } finally {
    // ajv keeps every schema for ever otherwise, and two schemas with one `$id` would collide.
    compiler.removeSchema(plain);
  }
}

/** The compiled form of a schema, kept by its content. Throws what ajv says of a schema that it cannot use. */
export function getValidator(schema: JsonObject): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? compileSchema(schema);
  compiled.set(key, validate);
  return validate;
}
