import { cpSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { clientEnvironmentNames } from '../../src/clients/cli/client-config.ts';
import { listToolTypes } from '../../src/engines/tools/find-tool-type.ts';
import { environmentNames } from '../../src/main/config.ts';
import { writeEnvironmentFile } from '../../src/main/dev/environment-file.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { listDeadLinks } from './dead-links.ts';
import { listProvenBlocks, readme } from './readme-blocks.ts';
import { provenPages } from './readme-proofs.ts';
import { readToolPages } from './tool-pages.ts';

interface Manifest {
  files: string[];
  scripts: object;
  dependencies: object;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** The names of the variables in the file that `npm start` writes. */
function listWrittenVariables(): string[] {
  const folder = createTemporaryFolder();
  writeEnvironmentFile(folder, {
    file: {
      ...{ api: '', console: '', mcpConfig: '', startedAt: '', pids: { dev: 1 }, joined: [] },
      ...{ postgres: { url: '' }, temporal: { address: '', namespace: '' } },
    },
    seed: { apiKey: '', workspaceId: '', conversationId: '', taskQueue: '' },
  });
  return Object.keys(parseEnv(readFileSync(path.join(folder, 'env'), 'utf8')));
}

describe('README.md, and the pages beside it', () => {
  it('have no block without a test', () => {
    const unproven = listProvenBlocks(provenPages).filter(({ prove }) => prove === undefined);
    expect(unproven.map(({ page, firstLine }) => `${page}: ${firstLine}`)).toEqual([]);
  });

  it('fit on one page', () => {
    expect(readme.split('\n').length).toBeLessThan(140);
  });

  it('name variables and commands that exist', () => {
    const texts = provenPages.map(([page]) => readFileSync(page, 'utf8')).join('\n');
    const named = [...texts.matchAll(/\b(?:HOLDFAST_[A-Z_]+|[A-Z_]+_API_KEY|DATABASE_URL)\b/g)];
    const known = new Set([...environmentNames, ...clientEnvironmentNames, ...listWrittenVariables()]);
    expect(named.map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
    const tasks = [...texts.matchAll(/npm run (\w+)/g)].map(([, task = '']) => task);
    expect(tasks.filter((task) => !(task in manifest.scripts))).toEqual([]);
  });

  it('are all in the index', () => {
    const index = readFileSync('docs/README.md', 'utf8');
    const files = ['docs', 'docs/tools'].flatMap((folder) =>
      readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? [path.join(folder, file)] : [])),
    );
    const listed = files.map((file) => path.relative('docs', file)).filter((file) => file !== 'README.md');
    expect(listed.filter((file) => !index.includes(`(${file})`))).toEqual([]);
  });

  it('are about every type of tool', () => {
    const names = readToolPages().map(({ name }) => name.replaceAll('-', '_'));
    const types = listToolTypes().map(({ type }) => type);
    expect(names.sort()).toEqual(types.sort());
  });

  it('link to files and headings that the package has', () => {
    const folder = createTemporaryFolder();
    const packed = [...globSync(manifest.files), 'README.md', 'LICENSE', 'package.json'];
    for (const file of packed.filter((name) => name !== 'dist')) cpSync(file, path.join(folder, file));
    expect(listDeadLinks(folder)).toEqual([]);
  });
});

it('the source of the package imports no package that package.json does not declare', () => {
  const sources = globSync(['{src,workflows,activities}/**/*.ts'], {
    exclude: ['**/node_modules/**', '**/dist/**', 'src/clients/create/**'],
  });
  const imports = sources.flatMap((file) => {
    // The types of these folders are types of the package.
    const clause = /^src\/(clients|domain)\//.test(file) ? '' : '(?!type )';
    const pattern = `^(?:import|export) (?:${clause}[^;]*?from )?'(?!node:)((?:@[\\w-]+/)?[a-z][\\w.-]*)`;
    return [...readFileSync(file, 'utf8').matchAll(new RegExp(pattern, 'gm'))];
  });
  const names = new Set(imports.map(([, name = '']) => name));
  expect([...names]).toContain('fastify');
  // A package finds itself by its own name.
  const declared = { ...manifest.dependencies, holdfast: '' };
  expect([...names].filter((name) => !(name in declared))).toEqual([]);
});
