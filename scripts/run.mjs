// Runs every task: installs the packages when they are missing or stale, then runs the task under the
// pinned Node. Plain JavaScript with built-ins only, so that any Node can start it.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// The types of all files take about 4 GB.
const eslint = ['--max-old-space-size=6144', 'node_modules/eslint/bin/eslint.js', '.'];
const cache = 'node_modules/.cache';
const tsc = [
  ...['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
  ...['--incremental', '--tsBuildInfoFile', `${cache}/tsc.tsbuildinfo`],
];
const prettier = [
  ...['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  ...['--cache', '--cache-strategy', 'content'],
];
const knip = ['node_modules/knip/bin/knip.js'];
const lintOpenApi = ['scripts/lint-openapi/main.ts'];
const size = ['scripts/size/main.ts'];
const tscConsole = [
  ...['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'console'],
  ...['--incremental', '--tsBuildInfoFile', `${cache}/tsc-console.tsbuildinfo`],
];
const quickChecks = [tsc, tscConsole, prettier, knip, lintOpenApi, [...size, '--check']];
const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
// Files that an older build left would be packed with the new ones.
const clean = (folder) => [
  '--eval',
  `require('node:fs').rmSync('${folder}', { recursive: true, force: true })`,
];
const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const buildConsole = ['scripts/build-console/main.ts'];
const build = [clean('dist'), compile, ['dist/src/main/build-bundles.js'], [...buildConsole, 'dist/console']];
const compileClient = ['node_modules/typescript/bin/tsc', '-p', 'src/clients/client'];
const compileCreate = ['node_modules/typescript/bin/tsc', '-p', 'src/clients/create'];

/**
 * The steps of each task, one after the other; a list of steps runs side by side, and the last of them has priority. Extra
 * arguments go to the last step.
 */
export const tasks = {
  start: [buildConsole, ['src/main/dev.ts']],
  // The option of both is that of `programNodeOptions`.
  api: [buildConsole, ['--max-semi-space-size=8', 'src/main/api.ts']],
  worker: [['--max-semi-space-size=8', 'src/main/worker.ts']],
  check: [[eslint, ...quickChecks]],
  // eslint needs minutes of one core, which it takes while tests wait.
  test: [quickChecks, [eslint, [...vitest, '--project', 'unit', '--project', 'engine']]],
  build,
  'build-console': [buildConsole],
  'build-client': [clean('src/clients/client/dist'), compileClient],
  'build-create': [clean('src/clients/create/dist'), compileCreate],
  create: [...build, ['scripts/create-project/main.ts']],
  generate: [
    // The client follows from the document, and the document from the server.
    ['scripts/describe-api/main.ts'],
    ['scripts/generate-client/main.ts'],
    ['scripts/describe-catalogue/main.ts'],
    ['scripts/describe-rights/main.ts'],
  ],
  size: [size],
  pictures: [buildConsole, ['scripts/take-pictures/main.ts']],
  bench: [['bench/run.ts']],
  'bench-streams': [['bench/streams/run.ts']],
  'bench-console': [buildConsole, ['bench/console/run.ts']],
  conformance: [['test/conformance/run.ts']],
  faults: [['bench/faults/run.ts']],
  'random-routines': [[...vitest, 'test/modules/routines/random-routines.long.test.ts']],
  crossings: [[...vitest, 'test/modules/turns/messages-crossing-ends.long.test.ts']],
  'test-long': [[...vitest, '--project', 'long']],
  'test-console': [[...vitest, 'test/console']],
  chat: [['src/main/holdfast.ts', 'chat']],
  cli: [['src/main/holdfast.ts']],
  'try-package': [['test/clients/create/try-package.ts']],
  'try-generators': [['test/clients/generators/run.ts']],
  fuzz: [['test/fuzz/run.ts']],
  'check-replay': [['src/main/holdfast.ts', 'histories', 'check']],
};

/** Returns the command line of one step, under the pinned Node. */
export function toCommand(directory, step, extraArguments) {
  return {
    file: path.join(directory, 'node_modules', 'node', 'bin', 'node'),
    arguments: [...step, ...extraArguments],
  };
}

function childEnvironment() {
  const bin = path.join(root, 'node_modules', '.bin');
  return {
    // Node keeps compiled modules there, without which a program takes half as long again to start.
    NODE_COMPILE_CACHE: path.join(root, cache, 'node'),
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  };
}

/** Gives the processor to others first. A process that has just ended has no priority any more. */
function yieldToOthers({ pid }) {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The step runs, or has run, with the usual priority.
  }
}

/** Runs one step in the foreground and returns how it ended. Signals are forwarded to the step and do not end this process. */
function runStep(step, { extraArguments = [], yields = false } = {}) {
  const command = toCommand(root, step, extraArguments);
  const child = spawn(command.file, command.arguments, {
    cwd: root,
    stdio: 'inherit',
    env: childEnvironment(),
  });
  if (yields) yieldToOthers(child);
  const forward = (signal) => {
    // A terminal sends Ctrl-C to the whole group, so the child has it already.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve({ code, signal });
    });
  });
}

/** Runs one step, or several in parallel, and returns how it ended, or how the first failed one ended. */
async function runSteps(step, extraArguments) {
  if (!Array.isArray(step[0])) return runStep(step, { extraArguments });
  const isLast = (index) => index === step.length - 1;
  const endings = await Promise.all(
    step.map((each, index) => runStep(each, isLast(index) ? { extraArguments } : { yields: true })),
  );
  const failed = step.filter((_, index) => endings[index]?.code !== 0);
  // The output of a step that ended early stands far above that of the others.
  for (const [program] of failed) console.error(`${program} failed; its reasons stand above.`);
  return endings.find(({ code }) => code !== 0) ?? endings[0];
}

/** Ends this process with the exit code or signal of its step. */
function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}

async function main([task, ...rest]) {
  const steps = Object.hasOwn(tasks, task ?? '') ? tasks[task] : undefined;
  if (steps === undefined) {
    console.error(`Usage: node scripts/run.mjs <${Object.keys(tasks).join('|')}> [-- arguments]`);
    process.exitCode = 2;
    return;
  }
  const extraArguments = rest[0] === '--' ? rest.slice(1) : rest;
  await ensureInstalled(root);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const ending = await runSteps(step, isLast ? extraArguments : []);
    if (ending.code !== 0) return endLike(ending);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
