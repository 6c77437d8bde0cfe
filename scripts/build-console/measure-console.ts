import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** A part of a build, as Vite lists it in its manifest. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

/** What a browser loads, in bytes with gzip. */
export interface ConsoleWeight {
  /** Everything that the first page needs, whichever it is, without the page itself. */
  firstLoad: number;
  /** What each lazy part loads besides, by the file of its source. */
  parts: Record<string, number>;
  /** The script and the style of a report, which every report has besides its data. */
  report: number;
}

/** Returns the weight of a built console. */
export function measureConsole(folder: string): ConsoleWeight {
  const manifest = JSON.parse(readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const sizes = new Map<string, number>();
  const weigh = (file: string) => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length;
    sizes.set(file, size);
    return size;
  };
  const filesOf = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = manifest[name];
    if (!chunk || found.has(chunk.file)) return found;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
    for (const next of chunk.imports ?? []) filesOf(next, found);
    return found;
  };
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + weigh(file), 0);
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
  const first = filesOf(entry);
  const lazy = Object.entries(manifest).filter(([, { isDynamicEntry }]) => isDynamicEntry);
  const parts = lazy.map(([name]) => [name, sum([...filesOf(name)].filter((file) => !first.has(file)))]);
  return {
    firstLoad: sum(first),
    parts: Object.fromEntries(parts) as Record<string, number>,
    report: sum(['report.js', 'report.css']),
  };
}
