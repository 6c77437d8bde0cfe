import { globSync, readFileSync } from 'node:fs';
import { findFolderCycles, readImports, toGraph } from './read-imports.ts';
import { walkCalls } from './walk-calls.ts';

/** The size of the project as figures by their names. Less is better in each of them. */
export type Size = Record<string, number>;

/** Folders without lines written by hand. */
const ignored = /(?:^|\/)(?:node_modules|dist|generated|\.[^/]+)$/;
/** Files that readers of a turn know already: the words of the kernel and the platform. */
const known = /^src\/(?:domain|platform)\//;

/** Where the walks begin. */
const walks = {
  'a direct turn': { file: 'activities/turn/run-turn.ts', name: 'createRunTurn' },
  'a tool call': { file: 'activities/tool/tool-call.ts', name: 'runToolCall' },
};

/** The part of the project that a file belongs to: a module, an engine, a client, or another folder of the source. */
function toPart(file: string): string {
  return /^(?:src\/(?:modules|engines|clients)\/[^/]+|src\/[^/]+|[^/]+)/.exec(file)?.[0] ?? file;
}

/** Measures the project in the current directory, and names its cycles of folders. */
export function measureSize(): { size: Size; cycles: string[][] } {
  const files = globSync('*/**/*.{ts,tsx,mts,mjs,css}', {
    exclude: (name: string) => ignored.test(name),
  }).sort();
  const source = files.filter((file) => /^(?:src|workflows|activities|console)\//.test(file));
  const imports = readImports(source);
  const importers = toGraph(imports.map(({ from, to }) => ({ from: to, to: from })));
  const cycles = findFolderCycles(imports);
  const size: Size = {
    ...countLines(files),
    'files of the source and the console': source.length,
    'files with one importer': [...importers.values()].filter((each) => each.size === 1).length,
    'cycles of folders': cycles.length,
  };
  for (const [name, start] of Object.entries(walks)) {
    const { stops, returns } = walkCalls(start, (file) => known.test(file));
    size[`stops of the walk of ${name}`] = stops;
    size[`returns of the walk of ${name}`] = returns;
  }
  return { size, cycles };
}

/** Counts all lines of the files by part, blank ones and comments included. */
function countLines(files: readonly string[]): Size {
  const size: Size = { 'src, workflows, activities': 0 };
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n').length - 1;
    const sums = /^(?:src|workflows|activities)\//.test(file) ? ['src, workflows, activities'] : [];
    for (const part of [...sums, toPart(file)]) size[part] = (size[part] ?? 0) + lines;
  }
  return size;
}

/** How much larger than its figure a part may be. */
const tolerance = 1.05;

/** Returns a line for each measurement that has no figure, or is more than 5 % above it. */
export function findGrowth(size: Size, figures: Size): string[] {
  return Object.entries(size)
    .filter(([name, value]) => value > (figures[name] ?? -1) * tolerance)
    .map(([name, value]) => `${name}: ${value}, and docs/size.json says ${figures[name] ?? 'nothing'}`);
}
