import type { z } from 'zod';
import type { FieldError } from './errors.ts';
import { findNearestName, nameDistance } from './nearest-name.ts';
import { listChildren } from './schema-children.ts';

/** A field that was given, and that its object does not have. */
interface UnknownField {
  name: string;
  /** The path of the object. */
  path: readonly PropertyKey[];
  /** The fields that the object has. */
  known: readonly string[];
}

/** The deepest fields that are looked at, counted in fields: schemas of JSON have no end. */
const deepest = 6;

/** The maximum number of typing errors in the name of a field that belongs elsewhere. */
const mostErrorsElsewhere = 1;

/** Creates the function that writes the message about a field that an object does not have; `root` is the schema of the whole input. */
export function createUnknownFieldMessage(root: z.core.$ZodType) {
  let all: string[][] | undefined;
  return (field: UnknownField): string => {
    const nearest = findNearestName(field.name, field.known);
    const elsewhere = nearest ?? findElsewhere(field, (all ??= listFields(root)));
    return elsewhere === undefined ? describeUnknownField(field.name, field.known) : toQuestion(elsewhere);
  };
}

/** Returns an error for each field of an object that is not among the known ones. */
export function findUnknownFields(object: object, known: readonly string[]): FieldError[] {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ field: name, message: describeUnknownField(name, known) }));
}

/** Returns the message about a field that an object does not have, from the names of the fields that it has. */
export function describeUnknownField(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  if (nearest !== undefined) return toQuestion(nearest);
  if (known.length === 0) return 'unknown field: expected no field of this name';
  return `unknown field: expected one of ${known.map((other) => `"${other}"`).join(', ')}`;
}

function toQuestion(meant: string): string {
  return `unknown field: did you mean "${meant}"?`;
}

/** Finds the field of the same name in another object: best inside of this one, else as near to it as possible. */
function findElsewhere({ name, path }: UnknownField, all: string[][]): string | undefined {
  const place = path.map((part) => (typeof part === 'number' ? '[]' : String(part)));
  const found = closest(all, (field) => {
    const distance = nameDistance(name, field.at(-1) ?? '');
    if (distance > mostErrorsElsewhere) return [Infinity];
    return [distance, -countShared(place, field), field.length];
  });
  if (!found) return undefined;
  const isInside = countShared(place, found) === place.length;
  return (isInside ? found.slice(place.length) : found).join('.').replaceAll('.[]', '[]');
}

function countShared(place: string[], field: string[]): number {
  const end = place.findIndex((part, index) => field[index] !== part && field[index] !== '*');
  return end === -1 ? place.length : end;
}

/** Returns the item with the least ranks, compared from the first on; undefined when no item has a finite first one. */
function closest<Item>(items: readonly Item[], toRanks: (item: Item) => number[]): Item | undefined {
  let best: { item: Item; ranks: number[] } | undefined;
  for (const item of items) {
    const ranks = toRanks(item);
    if (ranks[0] === Infinity) continue;
    const difference = best ? ranks.findIndex((rank, index) => rank !== best?.ranks[index]) : 0;
    if (difference === -1) continue;
    if (!best || (ranks[difference] ?? 0) < (best.ranks[difference] ?? 0)) best = { item, ranks };
  }
  return best?.item;
}

/** Lists the paths of all fields of a schema. */
function listFields(root: z.core.$ZodType): string[][] {
  const fields: string[][] = [];
  const add = (schema: z.core.$ZodTypes, path: string[], above: readonly z.core.$ZodType[]): void => {
    if (above.includes(schema)) return;
    for (const { schema: inner, segment } of listChildren(schema)) {
      const innerPath = segment === undefined ? path : [...path, segment];
      if (innerPath.length > deepest) continue;
      if (segment !== undefined && segment !== '[]' && segment !== '*') fields.push(innerPath);
      add(inner, innerPath, [...above, schema]);
    }
  };
  add(root as z.core.$ZodTypes, [], []);
  return fields;
}
