import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import type { PrintedFunctions } from '../../labs/print-functions.ts';

const program = path.join(import.meta.dirname, '../../labs/print-functions.ts');

const importLine = "import { defineFunction, z } from 'holdfast/functions';";

function define(name: string, exported = `export const ${name}`): string {
  return `${exported} = defineFunction({ name: '${name}', description: 'd', input: z.object({}), run: () => 'x' });`;
}

function createFolder(files: Record<string, string[]>): string {
  const folder = createTemporaryFolder();
  for (const [name, lines] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, lines.join('\n'));
  }
  return folder;
}

/** Loads them in a separate process, because a test runner handles imports in another way than a worker. */
async function load(source?: string, workingDirectory = process.cwd()): Promise<PrintedFunctions> {
  const given = [program, ...(source === undefined ? [] : [source])];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: workingDirectory });
  return JSON.parse(stdout) as PrintedFunctions;
}

async function listNames(source: string): Promise<string[] | undefined> {
  return (await load(source)).names;
}

test('every function that TypeScript and JavaScript files export is loaded, also from nested folders', async () => {
  const folder = createFolder({
    'a.ts': [importLine, define('one'), define('two'), 'export const limit: number = 3;'],
    'b.js': [importLine, define('three', 'const three'), 'export default three;'],
    'deep/c.mts': [importLine, define('four')],
    'helper.ts': ['export const help = () => 1;'],
  });
  expect(await listNames(folder)).toEqual(['one', 'two', 'three', 'four']);
});

test('functions that a CommonJS file exports as one object are loaded', async () => {
  const folder = createFolder({
    'package.json': ['{ "type": "commonjs" }'],
    'a.js': [
      "const { defineFunction, z } = require('holdfast/functions');",
      'const make = (name) => defineFunction({ name, description: "d", input: z.object({}), run: () => "x" });',
      'module.exports = Object.fromEntries(["one", "two"].map((name) => [name, make(name)]));',
    ],
  });
  expect(await listNames(folder)).toEqual(['one', 'two']);
});

test('tests, declarations, hidden files and installed packages are ignored', async () => {
  const broken = ['throw new Error("loaded");'];
  const folder = createFolder({
    'a.test.ts': broken,
    'a.spec.js': broken,
    'a.d.ts': broken,
    '.hidden.ts': broken,
    'node_modules/x/index.js': broken,
    'notes.md': broken,
  });
  expect(await listNames(folder)).toEqual([]);
});

test('a function that several files export is loaded once', async () => {
  const folder = createFolder({
    'a.ts': [importLine, define('one')],
    'index.ts': ["export * from './a.ts';", "export { one as again } from './a.ts';"],
  });
  expect(await listNames(folder)).toEqual(['one']);
});

test('a single file can be loaded', async () => {
  const folder = createFolder({ 'a.ts': [importLine, define('one')], 'b.ts': [importLine, define('two')] });
  expect(await listNames(path.join(folder, 'b.ts'))).toEqual(['two']);
});

test('both files are named when two functions have the same name', async () => {
  const folder = createFolder({ 'a.ts': [importLine, define('one')], 'b.ts': [importLine, define('one')] });
  expect((await load(folder)).message).toMatch(/b\.ts has a function "one", but so has .*a\.ts/);
});

test.each([
  ['throws', '\nthrow new Error("no database");', 'bad.ts:2', 'no database'],
  [
    'defines a function wrongly',
    `${importLine}\n${define('one').replace("'d'", "''")}`,
    'bad.ts:2',
    'description',
  ],
  ['is no TypeScript', '\n\nconst a = {{ 1;', 'bad.ts:3', 'Unexpected token'],
  [
    'imports a name that is not there',
    `${importLine}\nimport { a } from './bad.ts';`,
    'bad.ts:2',
    './bad.ts',
  ],
  ['imports what is not there', "import './missing.ts';", 'bad.ts', 'missing.ts'],
])('a file is named that %s, with its line where it is known', async (...[, text, place, reason]) => {
  const folder = createFolder({ 'bad.ts': [text], 'package.json': ['{ "type": "module" }'] });
  const { code, message } = await load(folder);
  expect(code).toBe('INVALID_INPUT');
  expect(message).toContain(`${place} cannot be loaded`);
  expect(message).toContain(reason);
});

test('the line is named at which a file is no TypeScript, where no package.json says of which kind it is', async () => {
  const folder = createFolder({ 'bad.ts': ['', '', 'const a = {{ 1;'], 'package.json': ['{}'] });
  const { code, message } = await load(folder);
  expect(code).toBe('INVALID_INPUT');
  expect(message).toContain('bad.ts:3 cannot be loaded');
});

test('a package that is installed in the working folder is loaded', async () => {
  const folder = createFolder({
    'node_modules/@acme/tools/package.json': ['{ "type": "module", "exports": { "import": "./main.js" } }'],
    'node_modules/@acme/tools/main.js': [importLine, define('one'), define('two')],
  });
  expect((await load('@acme/tools', folder)).names).toEqual(['one', 'two']);
});

test('the folder "functions" is found by default, and files without zod get that of Holdfast', async () => {
  const lines = ["import { z } from 'zod';", importLine.replace(', z', ''), define('one')];
  const folder = createFolder({ 'functions/a.ts': lines });
  expect((await load(undefined, folder)).names).toEqual(['one']);
  expect((await load(undefined, path.join(folder, 'functions'))).names).toEqual([]);
});

test('a clear error is thrown when there is neither a folder nor a package of that name', async () => {
  expect((await load('./not-there')).message).toContain('HOLDFAST_FUNCTIONS');
  expect((await load('not-a-package')).message).toContain('not-a-package cannot be loaded');
});

test('the line is named at which a file is no JavaScript, and the file that another one imports', async () => {
  const folder = createFolder({ 'a.js': ['', 'const a = {{ 1;'] });
  expect((await load(folder)).message).toContain('a.js:2 cannot be loaded');
  const other = createFolder({ 'a.ts': ["import './lib/b.ts';"], 'lib/b.ts': ['', '', 'null.x;'] });
  expect((await load(other)).message).toMatch(/a\.ts \(\S+lib\/b\.ts:3\) cannot be loaded/);
});
