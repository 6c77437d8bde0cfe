import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../../domain/errors.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../domain/json.ts';
import type { ToolPolicy } from '../../domain/rules.ts';

/** The checks of a policy that need a library. What they cannot check breaks the policy. */
export interface PolicyChecks {
  checkSchema: (schema: JsonObject, input: JsonObject) => Promise<FieldError[]>;
  /** Returns whether arguments match a schema; null when that cannot be found out. */
  matchesSchema: (schema: JsonObject, input: JsonObject) => Promise<boolean | null>;
  /** Returns whether a pattern matches each text as a whole; false also for a pattern that cannot be used. */
  matchesWhole: (pattern: string, texts: string[]) => Promise<boolean>;
}

/** Returns the schema of a policy with its type, since arguments are always an object. */
export function toPolicySchema(schema: JsonObject): JsonObject {
  return { type: 'object', ...schema };
}

/**
 * Finds the first part of a policy that the arguments break, or null. A missing field can only break the policy's
 * schema. A limit on a field that is an array holds for each of its elements.
 */
export async function findPolicyBreach(
  policy: ToolPolicy,
  input: JsonObject,
  checks: PolicyChecks,
): Promise<FieldError | null> {
  return (
    findForbidden(policy, input) ??
    findWrongNumber(policy, input) ??
    findWrongValue(policy, input) ??
    (await findWrongText(policy, input, checks)) ??
    (await findSchemaBreach(policy, input, checks))
  );
}

async function findSchemaBreach(
  { schema }: ToolPolicy,
  input: JsonObject,
  { checkSchema }: PolicyChecks,
): Promise<FieldError | null> {
  if (!schema) return null;
  const [breach = null] = await checkSchema(toPolicySchema(schema), input);
  return breach;
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

async function findWrongText(
  { patterns = {} }: ToolPolicy,
  input: JsonObject,
  { matchesWhole }: PolicyChecks,
): Promise<FieldError | null> {
  for (const [field, pattern] of Object.entries(patterns)) {
    const values = toSingleValues(findAtPath(input, field));
    const isText = values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
    // All texts of a field are matched at once, so that the work is bounded by their sum.
    if (isText && (values.length === 0 || (await matchesWhole(pattern, values.map(String))))) continue;
    return { field, message: `must match ${pattern}` };
  }
  return null;
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

/**
 * Finds all values at a dotted path such as `recipient.country`. A path goes through the elements of arrays:
 * `items.price` is the price of every item. A name may hold dots itself. Empty when there is no such field.
 */
function findAtPath(input: JsonObject, path: string): JsonValue[] {
  return collect(input, path.split('.'));
}

/** Replaces each array by its elements, at any depth. */
function toSingleValues(values: JsonValue[]): JsonValue[] {
  return values.flatMap((value): JsonValue[] => (Array.isArray(value) ? toSingleValues(value) : [value]));
}

function collect(value: JsonValue, names: string[]): JsonValue[] {
  if (names.length === 0) return [value];
  if (Array.isArray(value)) return value.flatMap((element) => collect(element, names));
  if (!isJsonObject(value)) return [];
  return names.flatMap((_, index) => {
    const name = names.slice(0, index + 1).join('.');
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    return part === undefined ? [] : collect(part, names.slice(index + 1));
  });
}
