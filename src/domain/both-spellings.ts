import { z } from 'zod';
import { isJsonObject } from './json.ts';

/**
 * Lets callers spell the fields of an object `likeThis` or `like_this`. The parsed object has the names of the schema. A
 * field that is given in both spellings is refused.
 */
export function inBothSpellings<Schema extends z.ZodObject>(schema: Schema) {
  const others = new Map(Object.keys(schema.shape).map((name) => [toOtherSpelling(name), name]));
  return z.preprocess((value, context) => {
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([given, part]) => {
      const name = others.get(given) ?? given;
      if (name === given || !Object.hasOwn(value, name)) return [name, part];
      const message = `is ${name} in another spelling: expected one of them`;
      context.addIssue({ code: 'custom', path: [given], message });
      return [name, part];
    });
    return Object.fromEntries(entries) as unknown;
  }, schema);
}

/** Returns `tool_allowlist` for `toolAllowlist`, and the other way round. */
function toOtherSpelling(name: string): string {
  if (name.includes('_')) return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
