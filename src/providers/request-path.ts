import { HoldfastError } from '../domain/errors.ts';
import type { JsonObject, JsonValue } from '../domain/json.ts';

const placeholder = /\{(\+?)(\w+)\}/g;

/** Lists the names of the placeholders in a path. */
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
    if (parts.length === 0 || parts.some(isUnsafe)) throw badPart(name);
    return parts.map(encodeURIComponent).join('/');
  });
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isUnsafe(part: string): boolean {
  return part === '' || part === '.' || part === '..' || !part.isWellFormed();
}

function badPart(field: string): HoldfastError {
  const message = 'must be text, and not empty, "." or ".."';
  return new HoldfastError('INVALID_TOOL_ARGUMENTS', `The argument ${field} ${message}.`, {
    details: [{ field, message }],
  });
}
