import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';

const placeholder = /\{(\+?)(\w+)\}/g;

/** Lists the names of the placeholders in a path or a header. */
export function listPlaceholders(path: string): string[] {
  return Array.from(path.matchAll(placeholder), ([, , name = '']) => name);
}

/**
 * Replaces the placeholders of a path by encoded values of the input. A value such as `..`, which would lead to
 * another endpoint, is refused.
 * @throws HoldfastError `INVALID_TOOL_ARGUMENTS` with the field
 */
export function fillPath(path: string, input: JsonObject): string {
  return path.replaceAll(placeholder, (_, several: string, name: string) => {
    const value = toText(input[name]);
    const parts = several === '' ? [value] : value.split('/').filter((part) => part !== '');
    if (parts.length === 0 || parts.some(isUnsafe))
      throw badValue(name, 'must be text, and not empty, "." or ".."');
    return parts.map(encodeURIComponent).join('/');
  });
}

/** A list is joined with commas, as the style `simple` of OpenAPI is. */
function toText(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'object' || value === undefined ? '' : String(value);
}

function isUnsafe(part: string): boolean {
  return part === '' || part === '.' || part === '..' || !part.isWellFormed();
}

/**
 * Replaces the placeholders of headers by values of the input; a header is left out when the input lacks one of its values.
 * @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a value that cannot stand in a header
 */
export function fillHeaders(
  headers: Readonly<Record<string, string>> = {},
  input: JsonObject = {},
): Record<string, string> {
  const isComplete = ([, template]: [string, string]) =>
    listPlaceholders(template).every((name) => input[name] !== undefined);
  const filled = Object.entries(headers)
    .filter(isComplete)
    .map(([header, template]) => [header, fillHeader(template, input)]);
  return Object.fromEntries(filled) as Record<string, string>;
}

function fillHeader(template: string, input: JsonObject): string {
  return template.replaceAll(placeholder, (_, _several: string, name: string) => {
    const value = toText(input[name]);
    if (/^[\x20-\x7e]+$/.test(value)) return value;
    throw badValue(name, 'must be one line of ASCII characters, and not empty');
  });
}

function badValue(field: string, message: string): HoldfastError {
  return new HoldfastError('INVALID_TOOL_ARGUMENTS', `The argument ${field} ${message}.`, {
    details: [{ field, message }],
  });
}
