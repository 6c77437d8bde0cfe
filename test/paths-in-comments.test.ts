import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const roots = '{src,workflows,activities,console,test,bench,scripts,docs,examples}';
const left = /(?:^|\/)(?:node_modules|dist)(?:\/|$)/;
const files = globSync([`${roots}/**/*`, '*'], { exclude: (name) => left.test(name) });

/** The ends of the paths of all files and folders: `src/domain/tool.ts`, `domain/tool.ts` and `tool.ts`. */
const ends = new Set(
  files.flatMap((file) => {
    const names = file.split(path.sep);
    return names.map((_, index) => names.slice(index).join('/'));
  }),
);

/** A path below a folder of the repository, and the name of a file of code. */
const named =
  /(?<![\w./:@-])(?:(?:src|workflows|activities|console|test|bench|scripts|docs)\/[\w./-]*\w|[\w./-]+\.(?:tsx?|mjs))\b/g;

function listStalePaths(file: string): string[] {
  const comments = readFileSync(file, 'utf8').matchAll(/^\s*(?:\/\*|\*|\/\/|#).*$|[;,{)\]] \/\/ .*$/gm);
  return [...comments]
    .flatMap(([comment]) => comment.match(named) ?? [])
    .filter((name) => !ends.has(name) && !files.includes(path.join(path.dirname(file), name)))
    .map((name) => `${file}: ${name}`);
}

it('paths in comments lead to files and folders', () => {
  expect(files.filter((file) => /\.(?:tsx?|mjs|yml)$/.test(file)).flatMap(listStalePaths)).toEqual([]);
});
