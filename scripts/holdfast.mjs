#!/usr/bin/env node
// The command `holdfast`: runs the terminal program under the pinned Node, on whatever Node starts this.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

await ensureInstalled(root);
const child = spawn(
  path.join(root, 'node_modules', 'node', 'bin', 'node'),
  [path.join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)],
  // In the clone's folder the program finds what `npm start` left there, wherever it is called from.
  { cwd: root, stdio: 'inherit' },
);
for (const signal of signals) process.on(signal, () => forward(signal));
child.once('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.once('exit', (code, signal) => {
  for (const name of signals) process.removeAllListeners(name);
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
});

function forward(signal) {
  // A terminal sends Ctrl-C to the whole group, so the child has it already.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  if (signal === 'SIGINT' && hasTerminal) return;
  child.kill(signal);
}
