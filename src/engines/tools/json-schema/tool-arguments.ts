import type { ErrorObject } from 'ajv';
import { LRUCache } from 'lru-cache';
import type { FieldError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { findSchemaCompiler, getValidator, withoutVersion } from './schema-compiler.ts';
import { toSchemaCost } from './schema-cost.ts';
import { findUnusablePattern } from './usable-schema.ts';

const maxSchemaBytes = 128 * 1024;
const maxSchemaSteps = 200_000;
const maxFieldErrors = 20;

function toField(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  const named = params.missingProperty ?? params.additionalProperty;
  return (named === undefined ? parts : [...parts, named]).join('.');
}

function toMessage(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not known';
  const { allowedValues } = error.params as { allowedValues?: unknown[] };
  if (allowedValues)
    return `must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}`;
  return error.message ?? 'is not valid';
}

/** Says where and how arguments do not fit the schema of their tool; empty when they fit. */
export function checkToolArguments(schema: JsonObject, toolArguments: JsonObject): FieldError[] {
  try {
    const validate = getValidator(schema);
    if (validate(toolArguments)) return [];
    return (validate.errors ?? [])
      .slice(0, maxFieldErrors)
      .map((error) => ({ field: toField(error), message: toMessage(error) }));
  } catch (error) {
    // Among others a schema that refers to itself without an end, which shows as a full stack.
    const reason = error instanceof Error ? error.message : String(error);
    return [{ field: '', message: `the tool's schema cannot be used: ${reason}` }];
  }
}

function findBadPattern(schema: JsonObject): string | null {
  const found = findUnusablePattern(schema);
  return found && `The regular expression at ${found.place} cannot be used: ${found.refusal}.`;
}

function findBadKeyword(schema: JsonObject): string | null {
  const compiler = findSchemaCompiler(schema);
  if (!compiler)
    return 'The schema names a version at /$schema that is not known: expected JSON Schema 2020-12 or draft-07.';
  if (schema.type !== 'object') return 'The schema describes no object: expected "type": "object" at /type.';
  if (compiler.validateSchema(withoutVersion(schema)) === true) return null;
  const [error] = compiler.errors ?? [];
  return `The schema is not valid JSON Schema at ${error?.instancePath || '/'}: ${error ? toMessage(error) : 'unknown reason'}.`;
}

function findBadReference(schema: JsonObject): string | null {
  try {
    getValidator(schema);
    return null;
  } catch (error) {
    return `The schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Caches findings about schemas by their JSON; the limit is in characters. */
const checked = new LRUCache<string, { problem: string | null }>({
  maxSize: 1024 * 1024,
  sizeCalculation: ({ problem }, key) => 200 + key.length + (problem?.length ?? 0),
});

function findProblem(schema: JsonObject, json: string): string | null {
  const bytes = Buffer.byteLength(json);
  if (bytes > maxSchemaBytes)
    return `The schema is ${bytes} bytes long; at most ${maxSchemaBytes} are allowed.`;
  if (toSchemaCost(schema).steps > maxSchemaSteps)
    return 'The schema refers to its own parts too many times.';
  return findBadKeyword(schema) ?? findBadReference(schema);
}

/**
 * Says in a sentence what is wrong with the schema of a tool and where; null when it is a JSON Schema
 * (2020-12 or draft-07) of an object that can be checked in bounded time. Its regular expressions may be such that cannot:
 * they are not checked, see `withoutUnusablePatterns`.
 */
export function checkToolSchema(schema: JsonObject): string | null {
  try {
    const key = JSON.stringify(schema);
    const { problem } = checked.get(key) ?? { problem: findProblem(schema, key) };
    checked.set(key, { problem });
    return problem;
  } catch (error) {
    if (error instanceof RangeError) return 'The schema is nested too deeply.';
    throw error;
  }
}

/** As `checkToolSchema`, for a schema whose values no other program checks again: its regular expressions must be matched too. */
export function checkStrictSchema(schema: JsonObject): string | null {
  return checkToolSchema(schema) ?? findBadPattern(schema);
}
