import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** The files of the script, each after those that it imports. */
const files = ['elements', 'search-cases', 'case-details', 'case-list'];

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

let script: string | undefined;

/** Returns the script of the page: its files in one, without types, imports and exports. */
export function readPageScript(): string {
  script ??= `(() => {\n'use strict';\n${files.map(readPart).join('\n')}\n})();`;
  return script;
}

function readPart(name: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../page/${name}${extension}`, import.meta.url)), 'utf8');
  const plain = extension === '.ts' ? nodeModule.stripTypeScriptTypes(text) : text;
  return plain
    .replace(/^import [^;]*;$/gm, '')
    .replace(/^export (?:\{\};)?/gm, '')
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
    .trim();
}
