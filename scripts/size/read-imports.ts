import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A file, and a file that it imports. */
export interface Import {
  from: string;
  to: string;
  /** Whether types alone are imported. */
  isType: boolean;
}

/** Returns the imports between these files, dynamic ones and re-exports included. Paths count from the current directory. */
export function readImports(files: readonly string[]): Import[] {
  const known = new Set(files);
  return files.flatMap((from) => {
    const text = readFileSync(from, 'utf8');
    return ts
      .preProcessFile(text)
      .importedFiles.map(({ fileName, pos }) => ({
        from,
        to: path.posix.join(path.posix.dirname(from), fileName),
        isType: /\b(?:import|export) type [^;'"]*'?$/.test(text.slice(Math.max(0, pos - 2_000), pos)),
      }))
      .filter(({ to }) => known.has(to));
  });
}

/** Returns the names by what each one names. */
export function toGraph(edges: readonly Pick<Import, 'from' | 'to'>[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

/** Returns the cycles of a graph: the sets of nodes that all reach each other, each in alphabetical order. */
export function findCycles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const reached = new Map([...graph.keys()].map((node) => [node, listReached(graph, node)]));
  const cycles = new Map<string, string[]>();
  for (const [node, others] of reached) {
    if (!others.has(node)) continue;
    const cycle = [...others].filter((other) => reached.get(other)?.has(node)).sort();
    cycles.set(cycle.join(), cycle);
  }
  return [...cycles.values()];
}

function listReached(graph: ReadonlyMap<string, Iterable<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/**
 * Returns the cycles of folders: folders whose files import values of each other, however far. A folder and one inside it
 * are no cycle.
 */
export function findFolderCycles(imports: readonly Import[]): string[][] {
  const between = imports
    .filter(({ isType }) => !isType)
    .map(({ from, to }) => ({ from: path.posix.dirname(from), to: path.posix.dirname(to) }))
    .filter(({ from, to }) => !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`));
  return findCycles(toGraph(between));
}
