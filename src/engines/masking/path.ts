import { isJsonObject, type JsonValue } from '../../domain/json.ts';

/** One part of a path: the name of a field, every item of a list (`[]`), or every field (`*`). */
export type PathPart = { field: string } | 'every item' | 'every field';

/**
 * Reads a path such as `steps[].toolCalls[].arguments.email` or `steps[].toolCalls[].result.*.name`.
 * @throws Error that names the path
 */
export function parsePath(path: string): PathPart[] {
  return path.split('.').flatMap((part): PathPart[] => {
    const [, name = '', lists = ''] = /^([^[\]]*)((?:\[\])*)$/.exec(part) ?? [];
    if (name === '' && lists === '') throw new Error(`masking rules: invalid path "${path}"`);
    const items = Array.from({ length: lists.length / 2 }, (): PathPart => 'every item');
    return [...(name === '' ? [] : [name === '*' ? ('every field' as const) : { field: name }]), ...items];
  });
}

/**
 * Returns a value with the texts and numbers at a path replaced; at the end of the path all that are below it. A text of
 * JSON that the path leads into, such as the result of a tool, is read as JSON and written again.
 */
export function replaceAtPath(
  value: JsonValue,
  [part, ...rest]: PathPart[],
  replace: (found: string | number) => JsonValue,
): JsonValue {
  if (part === undefined) return replaceLeaves(value, replace);
  const next = (inner: JsonValue) => replaceAtPath(inner, rest, replace);
  if (typeof value === 'string') return replaceInJsonText(value, [part, ...rest], replace);
  if (Array.isArray(value)) return part === 'every item' ? value.map(next) : value;
  if (!isJsonObject(value) || part === 'every item') return value;
  const isMeant = (name: string) => part === 'every field' || name === part.field;
  return mapFields(value, (name, inner) => (isMeant(name) ? next(inner) : inner));
}

function mapFields(
  value: Record<string, JsonValue>,
  map: (name: string, inner: JsonValue) => JsonValue,
): JsonValue {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(name, inner)]));
}

function replaceLeaves(value: JsonValue, replace: (found: string | number) => JsonValue): JsonValue {
  if (typeof value === 'string' || typeof value === 'number') return value === '' ? value : replace(value);
  if (Array.isArray(value)) return value.map((inner) => replaceLeaves(inner, replace));
  if (!isJsonObject(value)) return value;
  return mapFields(value, (_name, inner) => replaceLeaves(inner, replace));
}

function replaceInJsonText(
  text: string,
  parts: PathPart[],
  replace: (found: string | number) => JsonValue,
): string {
  if (!/^\s*[[{]/.test(text)) return text;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
  const found = { count: 0 };
  const replaced = replaceAtPath(value, parts, (leaf) => {
    found.count += 1;
    return replace(leaf);
  });
  return found.count > 0 ? JSON.stringify(replaced) : text;
}
