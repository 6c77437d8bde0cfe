import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programNodeOptions, programVariables } from '../src/main/dev/start-programs.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  private?: boolean;
  bin?: Record<string, string>;
  engines?: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  overrides?: Record<string, string>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

describe.each([
  ['.', '/dist/', '/'],
  ['src/clients/client', '/dist/', '/'],
])('the package of %s', (folder, built, source) => {
  const manifest = readManifest(folder);

  it('can be published under the licence of the file beside it', () => {
    expect(manifest.private).toBeUndefined();
    expect(manifest.license).toBe('Apache-2.0');
    expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
    expect(manifest.description).not.toBe('');
  });

  it('exports what it is built from', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const sources = targets.map((target) =>
      path.join(folder, target.replace(built, source).replace(/(\.d\.ts|\.js)$/, '.ts')),
    );
    expect(sources.filter((file) => !existsSync(file))).toEqual([]);
  });
});

// npm ignores the overrides of a dependency, and two copies of protobufjs do not know each other's types.
it('the package brings one protobufjs for all packages of Temporal', () => {
  const { dependencies, overrides } = readManifest('.');
  expect(dependencies?.['protobufjs']).toBeDefined();
  expect(dependencies?.['protobufjs']).toBe(overrides?.['protobufjs']);
});

describe('the image', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');

  it('copies files that exist, and that the build context has', () => {
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, words = '']) =>
      words.split(' '),
    );
    expect(sources.filter((file) => !existsSync(file))).toEqual([]);
    const isInContext = (file: string) =>
      allowed.some((one) => file === '.' || `${file}/`.startsWith(`${one}/`));
    expect(sources.filter((file) => !isInContext(file))).toEqual([]);
  });

  it('runs with the Node that the packages need, as a user who is not root', () => {
    const versions = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => Number(version));
    expect(new Set(versions)).toEqual(new Set([24]));
    expect(readManifest('.').engines?.['node']).toBe('>=22.19');
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  it('gives the API and the worker the settings of npm start, as the launcher and the tasks do', () => {
    const options = programNodeOptions.join(' ');
    const variables = Object.entries(programVariables).map((entry) => entry.join('='));
    expect(dockerfile).toContain(`ENV NODE_OPTIONS=${options} ${variables.join(' ')}\n`);
    expect(readFileSync('scripts/holdfast.mjs', 'utf8')).toContain(`['${options}']`);
    const tasks = readFileSync('scripts/run.mjs', 'utf8');
    for (const name of ['api', 'worker']) expect(tasks).toContain(`['${options}', 'src/main/${name}.ts']`);
  });
});
