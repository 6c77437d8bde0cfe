import type { FoundValue } from './patterns.ts';

/** Finds values that are known from elsewhere. */
export interface ValueFinder {
  find: (text: string) => FoundValue[];
}

interface Node {
  next: Map<string, Node>;
  /** The node of the longest end of this node's text that begins another value. */
  fallback: Node | null;
  /** The nearest node on the way of the fallbacks at which a value ends. */
  shorter: Node | null;
  length: number;
  kind: string | null;
}

/** Shorter values are not looked for, since ordinary text may contain them. */
const leastLength = 3;

/**
 * Creates a finder for values, each with its kind. It reads a text once, however many values there are (Aho and Corasick,
 * "Efficient string matching", 1975). A value has no letter or digit right before or after it.
 */
export function createValueFinder(values: ReadonlyMap<string, string>): ValueFinder {
  const root = createNode(0);
  for (const [value, kind] of values) if (value.length >= leastLength) addValue(root, value, kind);
  linkNodes(root);
  return { find: (text) => (root.next.size === 0 ? [] : findAll(root, text)) };
}

function createNode(length: number): Node {
  return { next: new Map(), fallback: null, shorter: null, length, kind: null };
}

function addValue(root: Node, value: string, kind: string): void {
  let node = root;
  for (const character of value.split('')) {
    const known = node.next.get(character) ?? createNode(node.length + 1);
    node.next.set(character, known);
    node = known;
  }
  node.kind = kind;
}

function linkNodes(root: Node): void {
  const queue: Node[] = [root];
  for (const node of queue) {
    for (const [character, child] of node.next) {
      child.fallback = node === root ? root : step(root, node.fallback ?? root, character);
      child.shorter = child.fallback.kind === null ? child.fallback.shorter : child.fallback;
      queue.push(child);
    }
  }
}

function step(root: Node, from: Node, character: string): Node {
  let node: Node | null = from;
  while (node && !node.next.has(character)) node = node.fallback;
  return node?.next.get(character) ?? root;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

function findAll(root: Node, text: string): FoundValue[] {
  const found: FoundValue[] = [];
  let node = root;
  for (let index = 0; index < text.length; index += 1) {
    node = step(root, node, text.charAt(index));
    const end = index + 1;
    for (let match: Node | null = node; match; match = match.shorter) {
      const start = end - match.length;
      if (match.kind === null || !isWhole(text, start, end)) continue;
      found.push({ start, end, kind: match.kind });
      break;
    }
  }
  return found;
}

function isWhole(text: string, start: number, end: number): boolean {
  const isOpen = (inner: string, outer: string) => wordCharacter.test(inner) && wordCharacter.test(outer);
  return (
    !isOpen(text.charAt(start), text.charAt(start - 1)) && !isOpen(text.charAt(end - 1), text.charAt(end))
  );
}
