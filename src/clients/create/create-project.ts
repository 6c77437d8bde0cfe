import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOldNode } from './find-old-node.ts';

/** A project that was created. */
export interface CreatedProject {
  folder: string;
  /** The name of its package. */
  name: string;
}

interface Manifest {
  name: string;
  version: string;
  engines: { node: string };
  dependencies: Record<string, string>;
}

/** The folder of the package: this module is in it, or in its folder `dist`. */
const packageFolder = findPackageFolder(path.dirname(fileURLToPath(import.meta.url)));

const template = path.join(packageFolder, 'template');

/**
 * Creates a project in a folder, and the folder itself where there is none.
 * @throws Error when the folder is not empty, or this Node is too old for the project
 */
export function createProject(place: string): CreatedProject {
  const folder = path.resolve(place);
  const problem = findOldNode(
    process.versions.node,
    readManifest(path.join(template, 'package.json')).engines.node,
  );
  if (problem !== undefined) throw new Error(problem);
  refuseFiles(folder);
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  // npm does not pack a file named .gitignore.
  renameSync(path.join(folder, 'gitignore'), path.join(folder, '.gitignore'));
  return { folder, name: fillManifest(folder) };
}

/** The history of a repository that is still empty is no file of a project. */
function refuseFiles(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.git') : [];
  if (files.length === 0) return;
  const some = files.length > 3 ? `${files.slice(0, 3).join(', ')}, …` : files.join(', ');
  throw new Error(`${folder} is not empty (${some}). Name a new or an empty folder. Nothing was created.`);
}

/** Names the package after its folder, and lets it depend on the Holdfast that this program was released with. */
function fillManifest(folder: string): string {
  const file = path.join(folder, 'package.json');
  const manifest = readManifest(file);
  const name = toPackageName(path.basename(folder));
  const { version } = readManifest(path.join(packageFolder, 'package.json'));
  const dependencies = { ...manifest.dependencies, holdfast: `^${version}` };
  writeFileSync(file, `${JSON.stringify({ ...manifest, name, dependencies }, null, 2)}\n`);
  return name;
}

/** npm installs no package into a project of the same name. */
function toPackageName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, 200);
  return name === '' || name === 'holdfast' ? 'holdfast-app' : name;
}

function findPackageFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : path.dirname(folder);
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
