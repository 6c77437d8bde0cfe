import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** A path such as `.a.b`, `$input.a` or `.`. */
const path = /^(?:\$([A-Za-z_]\w*))?((?:\.[A-Za-z_]\w*)+|\.)?$/;
const number = /^-?\d{1,15}(?:\.\d{1,10})?$/;
const text = /^"[^"\\]*"$/;

const constants: Record<string, JsonValue> = { true: true, false: false, null: null };

/**
 * Evaluates an expression that is a path, or a constant, as jq does. Null for every other expression, and for one that jq
 * would refuse, so that jq says why. It takes time in proportion to the expression alone.
 */
export function evaluateSimple(
  expression: string,
  dot: JsonValue,
  variables: JsonObject,
): { value: JsonValue } | null {
  const program = expression.trim();
  const constant = Object.hasOwn(constants, program) ? constants[program] : undefined;
  if (constant !== undefined) return { value: constant };
  if (number.test(program)) return { value: Number(program) };
  if (text.test(program)) return { value: program.slice(1, -1) };
  const found = path.exec(program);
  if (!found || program === '') return null;
  const [, variable, fields = ''] = found;
  if (variable !== undefined && !Object.hasOwn(variables, variable)) return null;
  return walk(variable === undefined ? dot : (variables[variable] ?? null), fields);
}

function walk(start: JsonValue, fields: string): { value: JsonValue } | null {
  let value = start;
  for (const field of fields.split('.').filter((name) => name !== '')) {
    if (value === null) continue;
    if (!isJsonObject(value)) return null;
    value = Object.hasOwn(value, field) ? (value[field] ?? null) : null;
  }
  return { value };
}

const wrapped = /^\s*\$\{([\s\S]*)\}\s*$/;

/** Returns the program of a text that is an expression, `${ … }`; null for any other text. */
export function findExpression(value: string): string | null {
  return wrapped.exec(value)?.[1]?.trim() ?? null;
}

/** Returns the program of a field that always holds an expression, with or without `${ }`. */
export function toExpression(value: string): string {
  return findExpression(value) ?? value.trim();
}

/** Returns the names of the variables that programs may use. */
export function findVariables(programs: string[]): Set<string> {
  return new Set(
    programs.flatMap((program) => [...program.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name]) => name ?? '')),
  );
}
