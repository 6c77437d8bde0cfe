import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** The estimated cost of checking a value against a schema. */
export interface SchemaCost {
  /** The values that the schema consists of when each reference is followed. */
  steps: number;
  /** About the number of instructions of its regular expressions when each reference is followed. */
  patterns: number;
  /** Whether a part of the schema contains itself, or refers to a place that is not found by its path alone. */
  isOpen: boolean;
  /** Whether elements of an array are compared with each other (`uniqueItems`). */
  comparesItems: boolean;
}

/** Keywords that refer to a place by another way than a path. */
const otherReferences = ['$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor'];

/**
 * Estimates the cost of a schema. A few dozen definitions that each refer twice to the next one are short to write and
 * take years to check, so each reference counts as much as the place it leads to.
 */
export function toSchemaCost(root: JsonObject): SchemaCost {
  const traits = { isOpen: false, comparesItems: false };
  const note = (part: JsonObject) => {
    traits.comparesItems ||= part.uniqueItems === true;
    traits.isOpen ||= otherReferences.some((keyword) => typeof part[keyword] === 'string');
  };
  const onLoop = () => (traits.isOpen = true);
  const patterns = sumOverParts(root, { onLoop, weigh: (part) => (note(part), weighPatterns(part)) });
  return { steps: sumOverParts(root, { onLoop, weigh: () => 1, scalar: 1 }), patterns, ...traits };
}

interface Weighing {
  weigh: (part: JsonObject) => number;
  /** The weight of a scalar and of an array. @default 0 */
  scalar?: number;
  /** Called for a reference to a part that contains it, and for one that leads nowhere. */
  onLoop: () => void;
}

function sumOverParts(root: JsonObject, { weigh, scalar = 0, onLoop }: Weighing): number {
  const sums = new Map<JsonValue, number>();
  const open = new Set<JsonValue>();
  const sumOf = (value: JsonValue): number => {
    if (typeof value !== 'object' || value === null) return scalar;
    if (open.has(value)) onLoop();
    const known = open.has(value) ? scalar : sums.get(value);
    if (known !== undefined) return known;
    open.add(value);
    let sum = isJsonObject(value) ? weigh(value) : scalar;
    for (const part of Object.values(value)) sum += sumOf(part);
    if (isJsonObject(value) && typeof value.$ref === 'string') {
      const place = resolvePointer(root, value.$ref);
      if (place === undefined) onLoop();
      else sum += sumOf(place);
    }
    open.delete(value);
    sums.set(value, sum);
    return sum;
  };
  return sumOf(root);
}

/** Returns about as many instructions as a pattern is compiled to: a repetition such as `{1,30}` counts its most. */
export function weighPattern(pattern: string): number {
  const repetitions = pattern.matchAll(/\{(\d{1,4}),?(\d{0,4})\}/g);
  let weight = pattern.length;
  for (const [, least, most] of repetitions) weight *= Math.max(1, Number(least), Number(most));
  return weight;
}

function weighPatterns({ pattern, patternProperties }: JsonObject): number {
  const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  if (typeof pattern === 'string') patterns.push(pattern);
  return patterns.reduce((sum, each) => sum + weighPattern(each), 0);
}

/** Counts the values and the characters of JSON; it stops counting above `most`. It uses no recursion. */
export function toJsonSize(value: JsonValue, most: number): number {
  const open: JsonValue[] = [value];
  let size = 0;
  for (let part = open.pop(); part !== undefined && size <= most; part = open.pop()) {
    size += typeof part === 'string' ? 1 + part.length : 1;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, inner] of Object.entries(part)) {
      size += key.length;
      open.push(inner);
    }
  }
  return size;
}

/** Counts the values of JSON without their text; it uses no recursion. */
export function countValues(value: JsonValue): number {
  const open: JsonValue[] = [value];
  let count = 0;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    count += 1;
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) open.push(inner);
  }
  return count;
}

function resolvePointer(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  const path = safeDecode(reference);
  if (path !== '#' && !path.startsWith('#/')) return undefined;
  let place: JsonValue | undefined = root;
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null) return undefined;
    place = (place as JsonObject)[key];
  }
  return place;
}

function safeDecode(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    // ajv says what is wrong with it.
    return reference;
  }
}
