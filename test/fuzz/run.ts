// Program: npm run fuzz. Sends some thousand requests that schemathesis makes from docs/openapi.json to a real API: valid
// ones, and ones with a part that is wrong. No answer may have the status 500. Needs python3.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/main/config.ts';
import { listenForStop } from '../../src/main/dev/stop-requests.ts';
import { setStage, type Stage } from '../conformance/stage.ts';

const packageName = 'schemathesis==4.32.5';
const document = path.resolve('docs/openapi.json');

const help = `Usage: npm run fuzz -- [options]

  --cases <number>      the least requests in all (default 5000)
  --max-minutes <time>  stops then (default 15)
  --seed <number>       repeats a run
  --only <name>         only operations whose operationId has this text`;

const say = (line: string) => console.log(line);
const signal = listenForStop(say);

/** A 500 is the only failure: answers such as 503 say that something outside did not work. */
const settings = `[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "501", "502", "503", "504"]
`;

interface FuzzOptions {
  cases: number;
  maxMinutes: number;
  seed: string;
  only: string | undefined;
}

function readOptions(): FuzzOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { cases: text, 'max-minutes': text, seed: text, only: text, help: { type: 'boolean' } },
  });
  if (values.help) return undefined;
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 32));
  const { cases = '5000', 'max-minutes': minutes = '15', only } = values;
  return { cases: Number(cases), maxMinutes: Number(minutes), seed, only };
}

function countOperations(only = ''): number {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const names = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  return names.filter((name) => name.includes(only)).length;
}

/** How much longer than its time schemathesis may run, in milliseconds. What it has sent then is counted. */
const graceMs = 60_000;

/** Runs schemathesis, and returns its exit code. */
async function fuzz(
  program: string,
  folder: string,
  { stage, options }: { stage: Stage; options: FuzzOptions },
) {
  const { cases, maxMinutes, seed, only } = options;
  // It sends at least two requests for each case: as they are, and with a part that is wrong.
  const each = Math.ceil(cases / countOperations(only) / 2);
  const configuration = path.join(folder, 'schemathesis.toml');
  writeFileSync(configuration, settings);
  const child = spawn(
    program,
    [
      ...['--config-file', configuration, 'run', document, '--url', stage.baseUrl],
      ...[
        '--header',
        `Authorization:Bearer ${stage.apiKey}`,
        '--checks',
        'not_a_server_error',
        '--phases',
        'fuzzing',
      ],
      ...[
        '--max-examples',
        String(each),
        '--seed',
        seed,
        '--max-time',
        String(maxMinutes * 60),
        '--workers',
        '4',
      ],
      // Streams of events have no end.
      ...[
        '--request-timeout',
        '10',
        '--suppress-health-check',
        'all',
        '--continue-on-failure',
        '--no-shrink',
      ],
      // It deletes what it has found, and must keep its own key.
      ...['--exclude-operation-id', 'revokeApiKey'],
      // Otherwise it makes up keys.
      ...[
        '--generation-with-security-parameters',
        'false',
        '--generation-database',
        'none',
        '--warnings',
        'off',
        '--no-color',
      ],
      ...(only === undefined ? [] : ['--include-operation-id-regex', only]),
    ],
    {
      stdio: 'inherit',
      cwd: folder,
      signal,
    },
  );
  // It waits for the requests of its workers after its time, and for some of them without end.
  const kill = setTimeout(() => child.kill(), maxMinutes * 60_000 + graceMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(kill);
  return code;
}

/** Returns how many requests the API has answered, and the lines of its log about those that it failed to. */
function readLog(folder: string) {
  const lines = readFileSync(path.join(folder, 'api.log'), 'utf8').split('\n');
  return {
    answered: lines.filter((line) => line.includes('"msg":"request"')).length,
    internal: lines.filter((line) => line.includes('"code":"INTERNAL"')),
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) {
    say(help);
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-fuzz-'));
  let isKept = true;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  });
  say(`Installing ${packageName} …`);
  const venv = path.join(folder, 'venv');
  execFileSync('python3', ['-m', 'venv', venv]);
  execFileSync(path.join(venv, 'bin', 'pip'), ['install', '--quiet', packageName], { stdio: 'inherit' });
  say(`Starting Postgres, Temporal, the API and a worker (data and logs in ${folder}) …`);
  const stage = await setStage({ config: loadConfig(), folder, say, signal, stack });
  say(`Seed ${options.seed}`);
  const code = await fuzz(path.join(venv, 'bin', 'schemathesis'), folder, { stage, options });
  const { answered, internal } = readLog(folder);
  for (const line of internal) say(line);
  say(`${answered} requests, ${internal.length} answered with the status 500`);
  if (code !== 0 || internal.length > 0) process.exitCode = 1;
  else isKept = false;
}

try {
  await main();
} catch (error) {
  if (error !== signal.reason) console.error(error);
  process.exitCode = 1;
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
