// The program of "npm run create -- FOLDER", after a build: creates a project that has the package of this clone as a file, since
// no registry has it yet.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createProject } from '../../src/clients/create/create-project.ts';

const [place] = process.argv.slice(2);
if (place === undefined) {
  console.error('Usage: npm run create -- FOLDER');
  process.exit(1);
}
try {
  create(place);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function create(place: string): void {
  const { folder, name } = createProject(place);
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
  const dependencies = { ...manifest.dependencies, holdfast: `file:${tarball}` };
  writeFileSync(file, `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`);
  console.log(`Created ${name} in ${folder}. Start it there with "npm install" and "npm start".`);
}
