// Program: npm run try-generators. Generates clients from docs/openapi.json with programs that others use, in a temporary
// folder with separate packages, and compiles each under "tsc --strict". One of them needs java and mvn.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const packages = [
  'orval7@npm:orval@7.13.2',
  'orval8@npm:orval@8.38.0',
  'openapi-typescript@7.13.0',
  'axios@1',
];
const [artifact, version] = ['openapi-generator-cli', '7.25.0'];
const copying = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

const document = path.resolve('docs/openapi.json');
const compiler = [
  ...[path.resolve('node_modules/typescript/bin/tsc'), '--strict', '--noEmit', '--skipLibCheck'],
  ...[
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2023,dom,dom.iterable',
  ],
];

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-generators-'));
const run = (command: string, ...parts: string[]) =>
  execFileSync(command, parts, { cwd: folder, stdio: 'pipe', maxBuffer: 2 ** 28 });
const node = (file: string, ...parts: string[]) => run(process.execPath, file, ...parts);

const orval = (bin: string) => () =>
  node(`node_modules/${bin}`, '--input', document, '--output', 'client/index.ts', '--client', 'fetch');
const java = (generator: string, ...options: string[]) =>
  run(
    'java',
    '-jar',
    `${artifact}-${version}.jar`,
    'generate',
    '-i',
    document,
    '-g',
    generator,
    '-o',
    'client',
    ...options,
  );

/** Each writes a client whose main file is `client/index.ts`. */
const generators: [name: string, generate: () => unknown][] = [
  ['orval 7', orval('orval7/dist/bin/orval.js')],
  ['orval 8', orval('orval8/dist/bin/orval.mjs')],
  [
    'openapi-typescript',
    () => node('node_modules/openapi-typescript/bin/cli.js', document, '-o', 'client/index.ts'),
  ],
  ['openapi-generator typescript-axios', () => java('typescript-axios')],
  // Without the option it imports the model of a form, and does not write it.
  [
    'openapi-generator typescript-fetch',
    () => java('typescript-fetch', '--global-property', 'skipFormModel=false'),
  ],
];

/** Returns what went wrong; null when the client compiles. */
function tryGenerator(generate: () => unknown): string | null {
  try {
    generate();
    node(compiler[0] ?? '', ...compiler.slice(1), 'client/index.ts');
    return null;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    const printed = `${stdout?.toString() ?? ''}${stderr?.toString() ?? ''}`;
    return (printed || String(error)).slice(0, 4_000);
  } finally {
    rmSync(path.join(folder, 'client'), { recursive: true, force: true });
  }
}

let failed = 0;
try {
  console.log('Installing the generators …');
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
  run(
    'mvn',
    '-q',
    '-B',
    copying,
    `-Dartifact=org.openapitools:${artifact}:${version}`,
    `-DoutputDirectory=${folder}`,
  );
  for (const [name, generate] of generators) {
    const problem = tryGenerator(generate);
    if (problem !== null) failed += 1;
    console.log(problem === null ? `${name}: the client compiles` : `${name} failed:\n${problem}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
console.log(`${generators.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
