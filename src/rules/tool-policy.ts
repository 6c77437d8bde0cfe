import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../domain/errors.ts';
import type { JsonObject, JsonValue } from '../domain/json.ts';
import type { ToolPolicy } from '../domain/rules.ts';
import { findAtPath, toSingleValues } from './argument-path.ts';

/** The checks of a policy that need a library. */
export interface PolicyChecks {
  checkSchema: (schema: JsonObject, input: JsonObject) => FieldError[];
  /** Tells whether a pattern matches a whole text; false also for a pattern that cannot be used. */
  matchesWhole: (pattern: string, text: string) => boolean;
}

/** Returns the schema of a policy with its type, since arguments are always an object. */
export function toPolicySchema(schema: JsonObject): JsonObject {
  return { type: 'object', ...schema };
}

/**
 * Finds the first part of a policy that the arguments break, or null. A missing field can only break the policy's
 * schema. A limit on a field that is an array holds for each of its elements.
 */
export function findPolicyBreach(
  policy: ToolPolicy,
  input: JsonObject,
  checks: PolicyChecks,
): FieldError | null {
  return (
    findForbidden(policy, input) ??
    findWrongNumber(policy, input) ??
    findWrongValue(policy, input) ??
    findWrongText(policy, input, checks) ??
    (policy.schema ? (checks.checkSchema(toPolicySchema(policy.schema), input)[0] ?? null) : null)
  );
}

function findForbidden({ forbiddenFields = [] }: ToolPolicy, input: JsonObject): FieldError | null {
  const field = forbiddenFields.find((path) => findAtPath(input, path).length > 0);
  return field === undefined ? null : { field, message: 'is forbidden' };
}

function findWrongNumber({ minimums = {}, maximums = {} }: ToolPolicy, input: JsonObject): FieldError | null {
  return (
    findWrong(minimums, input, (minimum, value) =>
      typeof value === 'number' && value >= minimum ? null : `must be a number of at least ${minimum}`,
    ) ??
    findWrong(maximums, input, (maximum, value) =>
      typeof value === 'number' && value <= maximum ? null : `must be a number of at most ${maximum}`,
    )
  );
}

function findWrongValue({ allowedValues = {} }: ToolPolicy, input: JsonObject): FieldError | null {
  for (const [field, allowed] of Object.entries(allowedValues)) {
    const isAllowed = (value: JsonValue) => allowed.some((one) => isDeepStrictEqual(one, value));
    const allAllowed = findAtPath(input, field).every(
      (value) => isAllowed(value) || (Array.isArray(value) && toSingleValues([value]).every(isAllowed)),
    );
    if (!allAllowed) {
      const named = allowed.slice(0, 20).map((value) => JSON.stringify(value));
      return { field, message: `must be one of ${named.join(', ')}${allowed.length > 20 ? ', …' : ''}` };
    }
  }
  return null;
}

function findWrongText(
  { patterns = {} }: ToolPolicy,
  input: JsonObject,
  checks: PolicyChecks,
): FieldError | null {
  return findWrong(patterns, input, (pattern, value) => {
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isText && checks.matchesWhole(pattern, String(value)) ? null : `must match ${pattern}`;
  });
}

function findWrong<Limit>(
  limits: Record<string, Limit>,
  input: JsonObject,
  toProblem: (limit: Limit, value: JsonValue) => string | null,
): FieldError | null {
  for (const [field, limit] of Object.entries(limits)) {
    for (const value of toSingleValues(findAtPath(input, field))) {
      const message = toProblem(limit, value);
      if (message !== null) return { field, message };
    }
  }
  return null;
}
