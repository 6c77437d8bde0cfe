import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { house, type Room } from '../architecture.config.js';

const document = readFileSync('docs/house.md', 'utf8');

/** The lines of the document between two comments. */
function partOf(name: string): string[] {
  const [, part = ''] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`).exec(document) ?? [];
  return part.split('\n').filter((line) => line !== '');
}

function toLine({ folder, purpose, imports = [], types = [], packages = [], node, isRoot }: Room): string {
  if (isRoot === true) return `- \`${folder}\`: ${purpose}. Imports anything.`;
  const parts = [
    imports.length > 0 ? imports.join(', ') : 'no other folder',
    ...(types.length > 0 ? [`types of ${types.join(', ')}`] : []),
    ...(node === true ? ['Node'] : []),
    ...(packages.length > 0 ? [packages.map((name) => `\`${name}\``).join(', ')] : []),
  ];
  return `- \`${folder}\`: ${purpose}. Imports ${parts.join('; ')}.`;
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

describe('docs/house.md', () => {
  it('shows every folder of house.config.js, with what it may import', () => {
    expect(partOf('rooms')).toEqual(house.map(toLine));
  });

  it('names lines that hold the text of each step', () => {
    const steps = partOf('walk');
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.map(findMistake).filter((mistake) => mistake !== null)).toEqual([]);
  });
});
