import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { folders, modules, parts } from '../architecture.config.js';

const document = readFileSync('docs/architecture.md', 'utf8');

/** The lines of the document between two comments. */
function partOf(name: string): string[] {
  const [, part = ''] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`).exec(document) ?? [];
  return part.split('\n').filter((line) => line !== '');
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
  it('shows every folder of architecture.config.js', () => {
    expect(partOf('folders')).toEqual(folders.map(({ folder, purpose }) => `- \`${folder}\`: ${purpose}.`));
  });

  it('shows every module', () => {
    expect(partOf('modules')).toEqual(modules.map(({ name, purpose }) => `- \`${name}\`: ${purpose}.`));
  });

  it('shows the parts of a module', () => {
    expect(partOf('parts')).toEqual(
      parts.map(({ name, patterns, purpose }) => {
        const files = patterns.map((pattern) => `\`${pattern}\``).join(', ');
        return `- ${name} (${files}): ${purpose}.`;
      }),
    );
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
