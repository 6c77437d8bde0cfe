import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject } from 'vitest';
import { tryProject } from '../clients/create/try-project.ts';
import { runTyped } from '../labs/typed-command.ts';
import { linkPackages, type Project } from './packed-package.ts';

/** A build and a start of everything take a minute of a processor, and several on a busy machine. */
export const patienceMs = 300_000;

/** Does what a block says: creates a project, checks, tests and starts it, and asks its agent over HTTP. */
export async function proveStarted(project: Project, text: string): Promise<void> {
  expect(text.split('\n').slice(1)).toEqual(['cd ../my-app', 'npm install', 'npm start']);
  const started = await createStarted(project);
  const variables = { HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') };
  const { tested, answer, ran, left } = await tryProject(started, variables);
  expect(tested).toMatch(/pass 1\b/);
  expect(answer).toContain('order_status answered: {"order":"A-17","status":"shipped"}');
  expect(ran).toEqual(expect.arrayContaining(['dev', 'api', 'worker', 'temporal', 'postgres']));
  expect(left).toEqual([]);
}

/**
 * Creates a project as `npm run create` does after its build, in the folder of a project that has Holdfast. The new project has
 * the packages that its package.json names, by links.
 */
async function createStarted({ folder, holdfast }: Project): Promise<string> {
  const started = path.join(folder, 'my-app');
  await runTyped(`'${process.execPath}' scripts/create-project/main.ts '${started}'`);
  linkPackages(started, holdfast);
  const manifest = JSON.parse(readFileSync(path.join(started, 'package.json'), 'utf8')) as {
    dependencies: { holdfast: string };
  };
  const packed = manifest.dependencies.holdfast.replace('file:', '');
  expect(readdirSync(started)).toContain(packed);
  return started;
}
