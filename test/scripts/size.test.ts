import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findGrowth } from '../../scripts/size/measure-size.ts';
import { findCycles, findFolderCycles, readImports, toGraph } from '../../scripts/size/read-imports.ts';
import { walkCalls } from '../../scripts/size/walk-calls.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

/** Writes files with these texts, and returns how a file of them is named. */
function writeFiles(texts: Record<string, string>) {
  const root = createTemporaryFolder();
  const toPath = (name: string) => path.posix.join(root, name);
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(toPath(name)), { recursive: true });
    writeFileSync(toPath(name), text);
  }
  return { toPath, imports: readImports(Object.keys(texts).map(toPath)) };
}

it('a part that is more than 5 % above its figure, or has none, is named', () => {
  const figures = { 'src/modules/turns': 100, 'src/modules/files': 100, 'cycles of folders': 0 };
  const size = { 'src/modules/turns': 105, 'src/modules/files': 106, 'cycles of folders': 1, bench: 0 };
  expect(findGrowth(size, figures)).toEqual([
    'src/modules/files: 106, and docs/size.json says 100',
    'cycles of folders: 1, and docs/size.json says 0',
    'bench: 0, and docs/size.json says nothing',
  ]);
});

it('a part that became smaller is not named', () => {
  expect(findGrowth({ bench: 1 }, { bench: 100, console: 100 })).toEqual([]);
});

describe('imports', () => {
  it('are read with the dynamic ones, and told apart from those of types', () => {
    const { imports } = writeFiles({
      'a.ts':
        "import type { C } from './c.ts';\nimport { b } from './b.ts';\nconst d = () => import('./d.ts');",
      'b.ts': "export type {\n  C,\n} from './c.ts';\nexport { d } from './d.ts';\nimport './e.ts';",
      'c.ts': "import { readFileSync } from 'node:fs';\nimport { no } from './not-there.ts';",
      'd.ts': '',
      'e.ts': '',
    });
    const shown = imports.map(({ from, to, isType }) => [path.basename(from), path.basename(to), isType]);
    expect(shown).toEqual([
      ['a.ts', 'c.ts', true],
      ['a.ts', 'b.ts', false],
      ['a.ts', 'd.ts', false],
      ['b.ts', 'c.ts', true],
      ['b.ts', 'd.ts', false],
      ['b.ts', 'e.ts', false],
    ]);
  });

  it('form a cycle of those that reach each other, and of none that only lead there', () => {
    const pairs = ['a>b', 'b>c', 'c>a', 'c>d', 'e>a', 'f>f'].map((pair) => pair.split('>'));
    const graph = toGraph(pairs.map(([from = '', to = '']) => ({ from, to })));
    expect(findCycles(graph)).toEqual([['a', 'b', 'c'], ['f']]);
  });

  it('form a cycle of folders, which types and folders inside each other do not', () => {
    const { imports, toPath } = writeFiles({
      'one/a.ts': "import { b } from '../two/b.ts';",
      'one/inner/c.ts': "import { a } from '../a.ts';",
      'one/d.ts': "import { c } from './inner/c.ts';",
      'two/b.ts': "import { e } from '../three/e.ts';",
      'two/f.ts': "import type { D } from '../one/d.ts';",
      'three/e.ts': "import { g } from '../two/g.ts';",
      'two/g.ts': '',
    });
    expect(findFolderCycles(imports)).toEqual([[toPath('three'), toPath('two')]]);
  });
});

describe('the walk of a function', () => {
  const texts = {
    'loop.ts': `
      import { model as callModel } from './model.ts';
      import { tool } from './tool.ts';
      export function loop(port) {
        callModel(() => inner());
        tool();
        port.store();
      }
      function inner() { tool(); }
    `,
    'model.ts':
      "import { toText } from './text.ts';\nexport function model() { toText(); again(); }\nfunction again() {}",
    'tool.ts': 'export function tool() {}',
    'text.ts': 'export function toText() {}',
  };

  it('opens files in the order of calls, and counts those that it opens again', () => {
    const { toPath } = writeFiles(texts);
    // loop, model, text, model, loop, tool
    expect(walkCalls({ file: toPath('loop.ts'), name: 'loop' }, () => false)).toEqual({
      stops: 6,
      returns: 2,
    });
  });

  it('ends at files that the reader knows', () => {
    const { toPath } = writeFiles(texts);
    const isKnown = (file: string) => file === toPath('text.ts');
    expect(walkCalls({ file: toPath('loop.ts'), name: 'loop' }, isKnown)).toEqual({ stops: 4, returns: 1 });
  });

  it('begins at a function that exists', () => {
    const start = { file: writeFiles(texts).toPath('loop.ts'), name: 'gone' };
    expect(() => walkCalls(start, () => false)).toThrow('loop.ts has no function gone');
  });
});
