import type { JsonValue } from '../../domain/json.ts';

/** The maximum number of leaves of a value that are compared. */
const mostLeaves = 1_000;

/** Returns how much two values agree, from 0 to 1: the part of all their leaves that both have, at the same path. */
export function toSimilarity(one: JsonValue, other: JsonValue): number {
  const first = listLeaves(one);
  const second = listLeaves(other);
  const paths = new Set([...first.keys(), ...second.keys()]);
  if (paths.size === 0) return 1;
  let sum = 0;
  for (const path of paths) sum += toLeafSimilarity(first.get(path), second.get(path));
  return sum / paths.size;
}

type Leaf = string | number | boolean | null;

function toLeafSimilarity(one: Leaf | undefined, other: Leaf | undefined): number {
  if (one === undefined || other === undefined) return 0;
  if (one === other) return 1;
  return typeof one === 'string' && typeof other === 'string' ? toTextSimilarity(one, other) / 2 : 0;
}

/** Returns the part of the words of two texts that both have (Jaccard index), from 0 to 1. */
function toTextSimilarity(one: string, other: string): number {
  const first = toWords(one);
  const second = toWords(other);
  const both = [...first].filter((word) => second.has(word)).length;
  const all = first.size + second.size - both;
  return all === 0 ? 1 : both / all;
}

function toWords(text: string): Set<string> {
  return new Set(
    text
      .slice(0, 10_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

/** Returns the leaves of a value by their paths; an empty list or object is a leaf that is null. */
function listLeaves(value: JsonValue): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const waiting: [path: string, value: JsonValue][] = [['', value]];
  for (let next = waiting.pop(); next && leaves.size < mostLeaves; next = waiting.pop()) {
    const [path, inner] = next;
    if (typeof inner !== 'object' || inner === null) leaves.set(path, inner);
    else
      waiting.push(
        ...Object.entries(inner).map(([key, one]): [string, JsonValue] => [`${path}/${key}`, one]),
      );
  }
  return leaves;
}
