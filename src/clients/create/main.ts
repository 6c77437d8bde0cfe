#!/usr/bin/env node
// The program of `npm create holdfast <folder>`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createProject, type CreatedProject } from './create-project.ts';

const usage = `Usage: npm create holdfast@latest <folder>
Creates a project with an agent, a function and a test in an empty folder; "." is the current one.`;

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Returns the exit code. */
function main(commandArguments: string[]): number {
  const { values, positionals } = parseArgs({
    args: commandArguments,
    options: { help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [place, ...more] = positionals;
  if (values.help || place === undefined || more.length > 0) {
    console.log(usage);
    return values.help ? 0 : 1;
  }
  console.log(describe(createProject(place)));
  return 0;
}

function describe({ folder, name }: CreatedProject): string {
  const relative = path.relative('', folder);
  const steps = [...(relative === '' ? [] : [`cd ${quote(relative)}`]), 'npm install', 'npm start'];
  return [
    `Created ${name} in ${folder}.`,
    '',
    'Start it:',
    '',
    ...steps.map((step) => `  ${step}`),
    '',
    'Then talk to its agent in another terminal:',
    '',
    '  npx holdfast chat --agent Support "use order_status with A-17"',
    '',
    'README.md says what is in it. "npm test" runs its test.',
  ].join('\n');
}

/** A path as a shell reads it. */
function quote(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
