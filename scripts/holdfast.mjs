#!/usr/bin/env node
// The command `holdfast`: runs src/main/holdfast.ts, in a clone under the pinned Node. Any Node can start this file.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// The option is that of `programNodeOptions`.
const nodeOptions = ['api', 'worker'].includes(process.argv[2]) ? ['--max-semi-space-size=8'] : [];

const program = await findProgram();
const node = findNode();
// The kernel keeps signals without a handler from the first process of a container, where the program has a parent.
if (node === process.execPath && nodeOptions.length === 0 && process.pid !== 1) {
  await import(pathToFileURL(program).href);
} else {
  runUnder(node);
}

/** Returns the source in a clone, after its packages are installed, and the compiled program in a package. */
async function findProgram() {
  const source = path.join(root, 'src', 'main', 'holdfast.ts');
  if (!existsSync(source)) {
    keepCompiled();
    return path.join(root, 'dist', 'src', 'main', 'holdfast.js');
  }
  const { ensureInstalled } = await import('./install.mjs');
  await ensureInstalled(root);
  keepCompiled(path.join(root, 'node_modules', '.cache', 'node'));
  // The program runs in the folder of the clone, where it finds the data folder of `npm start`.
  process.chdir(root);
  return source;
}

/** Lets Node keep compiled modules in the folder of NODE_COMPILE_CACHE, else in this one: half of a start is compiling. */
function keepCompiled(folder = path.join(tmpdir(), 'node-compile-cache')) {
  // The programs that this one starts share the folder.
  process.env.NODE_COMPILE_CACHE ??= folder;
  // Node before 22.1 has no such function.
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

/**
 * The Node of the npm package `node`, which a clone has and a project may have; otherwise, or when it has the same
 * version, the running Node.
 */
function findNode() {
  try {
    const manifest = module.createRequire(import.meta.url).resolve('node/package.json');
    const pinned = path.join(path.dirname(manifest), 'bin', 'node');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (version === process.versions.node) return process.execPath;
    if (existsSync(pinned)) return pinned;
  } catch {
    // It is not installed.
  }
  refuseOldNode();
  return process.execPath;
}

function runUnder(node) {
  const child = spawn(node, [...nodeOptions, program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of signals) process.on(signal, () => forward(child, signal));
  child.once('error', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal !== null) process.kill(process.pid, signal);
    process.exitCode = code ?? 1;
  });
}

function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const oldest = engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  console.error(`Holdfast needs Node ${oldest} or newer, and this is ${process.versions.node}.`);
  process.exit(1);
}

function forward(child, signal) {
  // A terminal sends Ctrl-C to the whole group, so the child has it already.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  if (signal === 'SIGINT' && hasTerminal) return;
  child.kill(signal);
}
