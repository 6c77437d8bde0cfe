import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { house, type Room } from '../architecture.config.js';

const governed = house.filter(({ isRoot }) => isRoot !== true);

let eslint: ESLint;

beforeAll(() => {
  eslint = new ESLint({
    // The rules need no types, and a file that does not exist has none.
    overrideConfig: { languageOptions: { parserOptions: { project: null } } },
    ruleFilter: ({ ruleId }) => ruleId.startsWith('boundaries/'),
  });
});

/** Returns the first file of a room that does not belong to an inner room. */
function findFile({ folder }: Room): string {
  const inner = house.map((room) => room.folder).filter((other) => other.startsWith(`${folder}/`));
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => name.endsWith('.ts') && !inner.some((other) => name.startsWith(`${other}/`)))
    .sort()[0];
  if (file === undefined) throw new Error(`${folder} has no file`);
  return file;
}

/** Lints these lines as a file of a room, and returns the lines that break the rules. */
async function findRefused(filePath: string, lines: string[]): Promise<string[]> {
  const [result] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath });
  return (result?.messages ?? []).map(({ line }) => lines[line - 1] ?? '');
}

function toImport(from: string, to: string, kind: 'type' | 'value'): string {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  const source = relative.startsWith('.') ? relative : `./${relative}`;
  return `import ${kind === 'type' ? 'type ' : ''}{ some } from '${source}';`;
}

describe('the law of the house', () => {
  it('knows every folder of the source', () => {
    const folders = ['src', 'src/http'].flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}`),
    );
    const known = house.map(({ folder }) => folder);
    expect(folders.filter((folder) => folder !== 'src/http' && !known.includes(folder))).toEqual([]);
  });

  it('names only folders that exist', () => {
    const names = new Set(house.map(({ name }) => name));
    const named = governed.flatMap(({ imports = [], types = [] }) => [...imports, ...types]);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(governed)('refuses what $name may not import, and only that', async (room) => {
    const file = findFile(room);
    const others = house.filter(({ name }) => name !== room.name);
    const asValue = (other: Room) => toImport(file, findFile(other), 'value');
    const asType = (other: Room) => toImport(file, findFile(other), 'type');
    const lines = others.flatMap((other) => [asValue(other), asType(other)]);
    const { imports = [], types = [] } = room;
    const forbidden = others
      .filter(({ name }) => !imports.includes(name))
      .flatMap((other) => [asValue(other), ...(types.includes(other.name) ? [] : [asType(other)])]);
    expect(await findRefused(file, lines)).toEqual(forbidden);
  });

  it.each(governed)('refuses packages that $name may not import', async (room) => {
    const lines = ["import { readFileSync } from 'node:fs';", "import eslint from 'eslint';"];
    const refused = room.node === true ? lines.slice(1) : lines;
    expect(await findRefused(findFile(room), lines)).toEqual(refused);
  });

  it.each(['src/attic/box.ts', 'src/http/telegraph/key.ts', 'src/box.ts'])(
    'refuses %s, which is in no room',
    async (file) => {
      expect(await findRefused(file, ['export const some = 1;'])).toEqual(['export const some = 1;']);
    },
  );

  it('lets a workflow know the types of activities and functions of the domain', async () => {
    const lines = [
      "import type { Activities } from '../activities/index.ts';",
      "import { toPreview } from '../src/domain/text.ts';",
    ];
    expect(await findRefused('workflows/agent-turn.ts', lines)).toEqual([]);
  });

  it.each([
    ['an activity', "import { createActivities } from '../activities/index.ts';"],
    ['an id', "import { newId } from '../src/platform/lib/ids.ts';"],
    ['a part of Node', "import { readFileSync } from 'node:fs';"],
    ['the Temporal client', "import { Client } from '@temporalio/client';"],
    ['zod', "import { z } from 'zod';"],
  ])('refuses a workflow that imports %s by value', async (_what, line) => {
    expect(await findRefused('workflows/agent-turn.ts', [line])).toEqual([line]);
  });
});

/** All files, each with the files that it imports, types included. */
function readImports(): Map<string, string[]> {
  const files = ['src', 'workflows', 'activities', 'test', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/dist\/|node_modules\//.test(name))
      .map((name) => path.posix.join(folder, name)),
  );
  const known = new Set(files);
  const toImports = (file: string) =>
    ts
      .preProcessFile(readFileSync(file, 'utf8'))
      .importedFiles.map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName))
      .filter((imported) => known.has(imported));
  return new Map(files.map((file) => [file, toImports(file)]));
}

/** Removes files that import none of the others, until every file that is left imports another one that is left. */
function findCycles(imports: Map<string, string[]>): string[] {
  const left = new Set(imports.keys());
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const file of left) {
      if (!imports.get(file)?.some((imported) => left.has(imported))) left.delete(file);
    }
  }
  return [...left];
}

describe('the imports', () => {
  it('form no cycle, types included', () => {
    const imports = readImports();
    expect(imports.size).toBeGreaterThan(800);
    expect(findCycles(imports)).toEqual([]);
  });

  it('form a cycle where two files import types of each other', () => {
    const imports = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['a.ts', 'c.ts']],
      ['c.ts', []],
      ['d.ts', ['a.ts']],
    ]);
    expect(findCycles(imports)).toEqual(['a.ts', 'b.ts', 'd.ts']);
  });
});
