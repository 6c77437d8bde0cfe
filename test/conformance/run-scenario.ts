import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { suite, type Scenario } from './scenarios.ts';
import type { Stage } from './stage.ts';

const run = promisify(execFile);

/** How long the client program of a scenario may take, in milliseconds. */
const timeoutMs = 90_000;

/** How a scenario ended: passed, or with the reasons why not. */
export interface Outcome extends Scenario {
  problems: string[];
}

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  description: string;
  errorMessage?: string;
}

/** Runs one scenario of the suite in a process of its own; a warning counts as a failure. */
export async function runScenario(
  scenario: Scenario,
  { stage, folder }: { stage: Stage; folder: string },
): Promise<Outcome> {
  const output = path.join(folder, 'results', `${scenario.revision}-${scenario.name.replaceAll('/', '-')}`);
  mkdirSync(output, { recursive: true });
  const program = path.join(import.meta.dirname, 'client.ts');
  const suiteArguments = [
    ...[path.join(suite, 'dist/index.js'), 'client', '--command', `${process.execPath} ${program}`],
    ...['--scenario', scenario.name, '--spec-version', scenario.revision, '--force'],
    ...['--timeout', String(timeoutMs), '--output-dir', output],
  ];
  const environment = {
    ...process.env,
    CONFORMANCE_API_URL: stage.baseUrl,
    CONFORMANCE_API_KEY: stage.apiKey,
  };
  const error = await run(process.execPath, suiteArguments, { env: environment, maxBuffer: 64 << 20 }).then(
    () => null,
    (failure: unknown) => failure,
  );
  const problems = listProblems(output);
  if (error !== null && problems.length === 0) problems.push(readLastLines(error));
  return { ...scenario, problems };
}

function listProblems(output: string): string[] {
  const [file] = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('checks.json'),
  );
  if (file === undefined) return ['the suite has no result'];
  const checks = JSON.parse(readFileSync(path.join(output, file), 'utf8')) as Check[];
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description}`);
}

/** Returns the end of what the suite printed, which has the output of a client program that failed. */
function readLastLines(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  return stderr.trimEnd().split('\n').slice(-15).join('\n');
}
