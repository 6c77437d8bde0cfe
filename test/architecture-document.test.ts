import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import {
  folders,
  modules,
  parts,
  type Folder,
  type ModuleFolder,
  type Part,
} from '../architecture.config.js';

const document = readFileSync('docs/architecture.md', 'utf8');

/** The lines of the document between two comments. */
function partOf(name: string): string[] {
  const [, part = ''] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`).exec(document) ?? [];
  return part.split('\n').filter((line) => line !== '');
}

const toPackages = (packages: string[]) => packages.map((name) => `\`${name}\``).join(', ');

function toFolderLine({
  folder,
  purpose,
  imports = [],
  types = [],
  packages = [],
  node,
  isRoot,
}: Folder): string {
  if (isRoot === true) return `- \`${folder}\`: ${purpose}. Imports anything.`;
  const allowed = [
    imports.length > 0 ? imports.join(', ') : 'no other folder',
    ...(types.length > 0 ? [`types of ${types.join(', ')}`] : []),
    ...(node === true ? ['Node'] : []),
    ...(packages.length > 0 ? [toPackages(packages)] : []),
  ];
  return `- \`${folder}\`: ${purpose}. Imports ${allowed.join('; ')}.`;
}

function toModuleLine({
  name,
  purpose,
  needs = [],
  imports = [],
  types = [],
  packages = [],
}: ModuleFolder): string {
  const allowed = [
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ...(imports.length > 0 ? [`imports ${imports.join(', ')}`] : []),
    ...(types.length > 0 ? [`types of ${types.join(', ')}`] : []),
    ...(packages.length > 0 ? [toPackages(packages)] : []),
  ];
  return `- \`${name}\`: ${purpose}${allowed.length > 0 ? ` (${allowed.join('; ')})` : ''}.`;
}

function toPartLine({ name, patterns, purpose, own }: Part): string {
  return `- ${name} (${toPackages(patterns)}): ${purpose}. Of its module it imports ${own.join(', ')}.`;
}

/** Returns the current line of a step's text; null when the step names the right line. */
function findMistake(step: string): string | null {
  const [, file = '', line = '', text = ''] = /^\d+\. `([^`:]+):(\d+)` `([^`]+)` \S/.exec(step) ?? [];
  if (file === '') return `"${step}" does not read: 1. \`path:line\` \`text of that line\` what happens`;
  if (!existsSync(file)) return `${file} does not exist; its step says "${text}"`;
  const lines = readFileSync(file, 'utf8').split('\n');
  if (lines[Number(line) - 1]?.includes(text) === true) return null;
  const found = lines.flatMap((content, index) => (content.includes(text) ? [index + 1] : []));
  const where = found.length === 0 ? 'in no line' : `in line ${found.join(' and ')}`;
  return `${file}:${line} is said to hold "${text}", which is now ${where}`;
}

describe('docs/architecture.md', () => {
  it('shows every folder of architecture.config.js, with what it may import', () => {
    expect(partOf('folders')).toEqual(folders.map(toFolderLine));
  });

  it('shows every module, with what it needs', () => {
    expect(partOf('modules')).toEqual(modules.map(toModuleLine));
  });

  it('shows the parts of a module', () => {
    expect(partOf('parts')).toEqual(parts.map(toPartLine));
  });

  it('names lines that hold the text of each step', () => {
    const steps = partOf('walk');
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.map(findMistake).filter((mistake) => mistake !== null)).toEqual([]);
  });
});

test('CONTRIBUTING.md names files and folders that exist', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const paths = [...text.matchAll(/`((?:src|test|scripts|console|docs|workflows)\/[^`*<]+)`/g)].map(
    ([, path = '']) => path,
  );
  // The first change makes this one.
  const made = 'test/engines/tools/functions/current-time.test.ts';
  expect(paths.filter((path) => path !== made && !existsSync(path))).toEqual([]);
  expect(paths.length).toBeGreaterThan(20);
});
