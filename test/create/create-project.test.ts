import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findOldNode } from '../../src/create/find-old-node.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';

interface Manifest {
  name: string;
  version: string;
  engines: { node: string };
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const program = `'${process.execPath}' '${path.resolve('src/create/main.ts')}'`;

let folder: string;
beforeEach(() => {
  folder = createTemporaryFolder();
});

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

/** Runs the program in a folder where it must fail, and returns what it printed. */
async function fail(commandArguments: string, cwd = folder): Promise<string> {
  const typed = typeCommand(`${program} ${commandArguments}`, { cwd });
  expect(await typed.ended).toBe(1);
  return typed.output();
}

describe('npm create holdfast', () => {
  it('creates a project in a new folder, and says how to start it', async () => {
    const printed = await runTyped(`${program} my-app`, { cwd: folder });
    expect(printed).toContain('  cd my-app\n  npm install\n  npm start\n');
    const files = readdirSync(path.join(folder, 'my-app'), { recursive: true, encoding: 'utf8' });
    for (const file of [
      'agents/support.ts',
      'functions/order-status.ts',
      'test/support.test.ts',
      '.gitignore',
    ])
      expect(files).toContain(file);
    expect(files).not.toContain('gitignore');
    const { name, dependencies } = readManifest(path.join(folder, 'my-app', 'package.json'));
    expect(name).toBe('my-app');
    expect(dependencies).toEqual({ holdfast: `^${readManifest('package.json').version}` });
  });

  it('creates a project in the current folder, where an empty repository may be', async () => {
    const place = path.join(folder, 'Ärger & Söhne');
    mkdirSync(path.join(place, '.git'), { recursive: true });
    const printed = await runTyped(`${program} .`, { cwd: place });
    expect(printed).not.toContain('  cd ');
    expect(readManifest(path.join(place, 'package.json')).name).toBe('arger-sohne');
    expect(existsSync(path.join(place, '.git'))).toBe(true);
  });

  it('does not name a project as the package that it depends on', async () => {
    await runTyped(`${program} holdfast`, { cwd: folder });
    expect(readManifest(path.join(folder, 'holdfast', 'package.json')).name).toBe('holdfast-app');
  });

  it('refuses a folder that is not empty, and leaves it as it is', async () => {
    writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    expect(await fail('.')).toBe(
      `${folder} is not empty (notes.txt). Name a new or an empty folder. Nothing was created.\n`,
    );
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('says how it is used when no folder, two folders or an unknown option is given', async () => {
    expect(await fail('')).toContain('Usage: npm create holdfast@latest <folder>');
    expect(await fail('one two')).toContain('Usage: npm create holdfast@latest <folder>');
    expect(await fail('--typescript')).toContain("Unknown option '--typescript'");
    expect(readdirSync(folder)).toEqual([]);
  });

  it('tells the owner of an old Node which one is needed', () => {
    expect(findOldNode('20.20.2', '>=22.19')).toContain('needs Node 22.19 or newer, and this is 20.20.2.');
    expect(findOldNode('22.9.0', '>=22.19')).toBeDefined();
    expect(findOldNode('22.19.0', '>=22.19')).toBeUndefined();
    expect(findOldNode('24.1.0', '>=22.19')).toBeUndefined();
  });
});

describe('the template', () => {
  const template = readManifest('src/create/template/package.json');
  const holdfast = readManifest('package.json');

  it('needs the same Node as Holdfast, and the versions that Holdfast is tested with', () => {
    expect(template.engines).toEqual(holdfast.engines);
    expect(holdfast.devDependencies).toMatchObject(template.devDependencies);
  });

  it('is released with the version of Holdfast that projects depend on', () => {
    expect(readManifest('src/create/package.json').version).toBe(holdfast.version);
  });
});
