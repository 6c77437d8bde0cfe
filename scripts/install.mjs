// Brings node_modules in line with package-lock.json. Built-ins only: it runs before any package is there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';

const stampName = '.holdfast-lock';

/** Installs the packages of `root` when they are missing or stale; only one process does so at a time. */
export async function ensureInstalled(root) {
  if (isFresh(root)) return;
  const lock = path.join(root, '.holdfast', 'install.lock');
  await withLock(lock, 'Another process installs the packages', async () => {
    if (!isFresh(root)) await install(root);
  });
}

/** Returns true when node_modules has all packages of package-lock.json and the pinned Node. */
export function isFresh(root) {
  if (!existsSync(pinnedNode(root))) return false;
  const modules = path.join(root, 'node_modules');
  if (readText(path.join(modules, stampName)) === lockHash(root)) return true;
  if (!holdsLockedVersions(root)) return false;
  writeStamp(root);
  return true;
}

/** The hash of package-lock.json that a finished install leaves behind. */
export function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

// npm writes node_modules/.package-lock.json when an install has finished, so an `npm ci` or `npm install`
// by hand counts, and one that was interrupted does not. Workspaces are part of the clone and their links are for npm
// alone, so neither has to be installed.
function holdsLockedVersions(root) {
  const installed = readText(path.join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const { packages: present } = JSON.parse(installed);
  const { packages: wanted } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([location, { version, optional, link }]) =>
      !location.startsWith('node_modules/') ||
      link ||
      present[location]?.version === version ||
      (optional && !present[location]),
  );
}

async function install(root) {
  console.log('Installing the packages (usually about one minute) …');
  if (!(await runCi(root))) {
    console.log('Once more, from an empty node_modules …');
    rmSync(path.join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 10 });
    if (!(await runCi(root))) throw new Error('Installing the packages failed; the lines above say why.');
  }
  if (!existsSync(pinnedNode(root))) await fetchPinnedNode(root);
  writeStamp(root);
}

// npm does not check `engines`, since the packages run under the pinned Node and not under this one.
async function runCi(root) {
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund'];
  const npmArguments = ['ci', '--include=dev', '--engine-strict=false', ...quiet];
  const cli = process.env.npm_execpath;
  const isScript = cli?.endsWith('npm-cli.js') === true;
  return isScript
    ? runChild(process.execPath, [cli, ...npmArguments], { cwd: root })
    : runChild('npm', npmArguments, { cwd: root });
}

/** Runs the install script of the package `node`, because npm may be configured to ignore scripts. */
async function fetchPinnedNode(root) {
  const cwd = path.join(root, 'node_modules', 'node');
  const env = { ...process.env, npm_config_loglevel: 'error' };
  await runChild(process.execPath, ['installArchSpecificPackage.js'], { cwd, env });
  if (existsSync(pinnedNode(root))) return;
  throw new Error(
    'The npm package "node" did not bring its binary to node_modules/node/bin/node. ' +
      'Install again with "npm ci --ignore-scripts=false".',
  );
}

/** Runs a program and resolves to true when it succeeded. Rejects when a signal stopped it. */
function runChild(file, childArguments, options) {
  const child = spawn(file, childArguments, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let stopped = false;
  // This process stays until npm has ended: it holds the lock.
  const forward = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`Cannot run ${file}: ${cause.message}`, { cause })));
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, forward);
      if (stopped)
        reject(new Error('Stopped while the packages were installed; the next start does it again.'));
      else resolve(code === 0);
    });
  });
}

function pinnedNode(root) {
  return path.join(root, 'node_modules', 'node', 'bin', 'node');
}

// The stamp saves the next start a comparison of the lock files. A read-only clone works without it.
function writeStamp(root) {
  try {
    writeFileSync(path.join(root, 'node_modules', stampName), lockHash(root));
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error;
  }
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
