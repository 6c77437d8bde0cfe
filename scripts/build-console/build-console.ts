import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../lock.mjs';
import { toInlineScript, toInlineStyle } from './to-inline-script.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

/** Everything from which the console is made. */
const sources = [
  ...[
    'console/src/**/*',
    'console/public/*',
    'console/{index.html,vite.config.ts,vite.report.config.ts,package.json}',
  ],
  ...['src/clients/client/**/*.ts', 'src/modules/replays/{replay-words,report/replay-verdict-words}.ts'],
  ...['scripts/build-console/to-inline-script.ts', 'package-lock.json'],
];

/** The file of a built console that holds the hash of its sources. */
const stampName = '.sources';

/**
 * Builds the console into a folder, unless the one that is there was made from the same sources. Only one process builds at a
 * time.
 */
export async function buildConsole(folder: string = path.join(root, 'console', 'dist')): Promise<void> {
  const hash = hashSources();
  if (isBuiltFrom(hash, folder)) return;
  const lock = path.join(root, '.holdfast', 'console.lock');
  await withLock(lock, 'Another process builds the console', async () => {
    if (isBuiltFrom(hash, folder)) return;
    console.log('Building the console …');
    await runVite(folder, ['--emptyOutDir']);
    await runVite(folder, ['--config', path.join(root, 'console', 'vite.report.config.ts')]);
    makeInline(folder);
    writeFileSync(path.join(folder, stampName), hash);
  });
}

/** Runs Vite in a separate process: with the `NODE_ENV` of tests it would bundle the development version of React. */
async function runVite(folder: string, further: string[]): Promise<void> {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['--outDir', folder, '--logLevel', 'warn', ...further];
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [vite, 'build', 'console', ...options],
    { cwd: root, env },
  );
  process.stdout.write(stdout + stderr);
}

/** Makes the script and the style of reports such that they can stand in a document. */
function makeInline(folder: string): void {
  for (const [name, convert] of [
    ['report.js', toInlineScript],
    ['report.css', toInlineStyle],
  ] as const) {
    const file = path.join(folder, name);
    writeFileSync(file, convert(readFileSync(file, 'utf8')));
  }
}

function isBuiltFrom(hash: string, folder: string): boolean {
  const stamp = path.join(folder, stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function hashSources(): string {
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(path.join('src', 'clients', 'client', 'dist')));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}
