import type { JsonValue } from '../api/types.ts';
import { isJsonObject } from './json-object.ts';

/** A value that differs between two values of JSON; undefined where one of them has none. */
export interface JsonDifference {
  /** The way to it, such as `recipient.lines[0].amount`; empty for the whole. */
  path: string;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}

/** Lists what differs between two values of JSON, in the order of the first. */
export function listDifferences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): JsonDifference[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      listDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }).flatMap((_, index) =>
      listDifferences(before[index], after[index], `${path}[${index}]`),
    );
  }
  return before === after ? [] : [{ path, before, after }];
}
