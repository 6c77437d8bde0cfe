import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { RoutineRunDetails } from '../../../src/domain/routine.ts';
import { eventually } from '../../labs/eventually.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { createRoutineScene, toDocument, type RoutineScene } from '../../labs/routine-scene.ts';
import { runCli, startCli } from '../../labs/run-cli.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;
let api: LabApi;
let scene: RoutineScene;

beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  scene = await createRoutineScene(lab);
});

afterAll(async () => {
  await api.stop();
  await lab.close();
});

const toEnvironment = () => ({ HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key });

/** Runs a command that has to succeed, and returns what it prints. */
async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(words, { environment: toEnvironment() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const idOf = (text: string) => /[0-9a-f-]{36}/.exec(text)?.[0] ?? '';

test('routines are stored, shown, drawn, run, watched, controlled and deleted', async () => {
  const file = path.join(createTemporaryFolder(), 'hello.yaml');
  const tasks = "  - hear: { listen: { to: { one: { with: { type: '${ $workflow.id }' } } } } }\n";
  await writeFile(file, toDocument('hello', `${tasks}  - done: { set: { heard: '\${ .[0] }' } }`));
  const routineId = idOf(await run('routines', 'create', file, '--agent', scene.agent.id));
  expect(await run('routines', 'list')).toBe(`${routineId}  test/hello  version 1\n`);
  expect(await run('routines', 'show', routineId, '--as', 'mermaid')).toContain('flowchart TD');

  const runId = idOf(await run('routines', 'run', routineId, '--idempotency-key', 'one'));
  const watching = startCli(['routine-runs', 'watch', runId], { environment: toEnvironment() });
  await watching.shows('  1. hear  waiting  an event\n');
  expect(await run('routine-runs', 'pause', runId)).toContain('hello 1  paused\n');
  expect(await run('routine-runs', 'list', '--routine', routineId)).toContain(`${runId}  `);
  expect(await run('routine-runs', 'resume', runId)).toContain('hello 1  running\n');
  await api.ask('POST', '/api/routine-events', { source: 'https://test', type: runId, data: 7 });
  const watched = await watching.ended;
  // A step is printed as running too when the program reads the run just then.
  expect({ ...watched, stdout: watched.stdout.replaceAll(/^ +\d+\. \w+ {2}running\n/gm, '') }).toEqual({
    ...{ code: 0, stderr: '' },
    stdout:
      '  1. hear  waiting  an event\n  1. hear  completed  [7]\n  2. done  completed  {"heard":7}\noutput: {"heard":7}\n',
  });
  const other = idOf(await run('routines', 'run', routineId));
  await run('routine-runs', 'stop', other, '--now');
  const stopped = await runCli(['routine-runs', 'watch', other], { environment: toEnvironment() });
  expect(stopped).toMatchObject({ code: 1, stdout: expect.stringContaining('cancelled') as string });
  await run('routines', 'delete', routineId);
  expect(await run('routines', 'list')).toBe('There are no routines yet.\n');
}, 120_000);

test('a run that is waited for says what it waits for', async () => {
  const tasks =
    "  - hear: { listen: { to: { one: { with: { type: '${ $workflow.id }' } } } } }\n  - rest: { wait: PT3S }";
  const { id } = await scene.store(toDocument('heard', tasks));
  const waiting = startCli(['routines', 'run', id, '--wait'], { environment: toEnvironment() });
  await eventually(
    () => waiting.output.stderr,
    (text) => text.includes('1. hear waits for an event'),
  );
  const { runs } = await api.ask<{ runs: { id: string; routineId: string }[] }>('GET', '/api/routine-runs');
  const runId = runs.find(({ routineId }) => routineId === id)?.id ?? '';
  await api.ask('POST', '/api/routine-events', { source: 'https://test', type: runId, data: 7 });
  const { code, stdout, stderr } = await waiting.ended;
  expect(code).toBe(0);
  expect(stdout).toContain(`${runId}  `);
  expect(stderr.split('\n')[0]).toBe('1. hear waits for an event, which POST /api/routine-events takes');
  expect(stderr.match(/waits for an event/g)).toHaveLength(1);
}, 120_000);

test('the program of Temporal asks a run for its status, and pauses, resumes and stops it', async () => {
  const { id } = await scene.store(toDocument('told', '  - sleep: { wait: PT1H }'));
  const runId = await scene.start(id);
  await scene.until(runId, ({ steps }: RoutineRunDetails) => steps.length === 1);
  const temporal = async (...words: string[]) => {
    const address = ['--address', lab.environment['TEMPORAL_ADDRESS'] ?? ''];
    const asked = ['workflow', ...words, '--workflow-id', `turn-${runId}`, ...address];
    const { stdout } = await promisify(execFile)(inject('temporalBinary'), asked);
    // The program decodes the results of updates, but not those of queries that name an installation.
    const [, data] = /"data": *"([^"]+)"/.exec(stdout) ?? [];
    return data === undefined ? stdout : Buffer.from(data, 'base64').toString();
  };
  const update = (name: string, ...input: string[]) =>
    temporal('update', 'execute', '--name', name, ...input.flatMap((text) => ['--input', text]));

  expect(await temporal('query', '--type', 'routineStatus')).toContain('"name":"sleep"');
  expect(await update('pauseRoutine')).toContain('status:paused');
  expect(await update('resumeRoutine')).toContain('status:running');
  await expect(update('stopRoutine', '{"mode":"later"}')).rejects.toThrow(
    'unable to update workflow: Send {',
  );
  expect(await update('stopRoutine', '{"mode":"now"}')).toContain('status:stopping');

  expect(await scene.end(runId)).toMatchObject({ status: 'cancelled' });
  await expect(update('pauseRoutine')).rejects.toThrow(/already completed|is cancelled already/);
});

test('resources and memories are listed, changed, deleted and restored', async () => {
  const attributes = { name: 'Refunds', content: 'Refunds take 14 days.' };
  const noteId = idOf(await run('resources', 'create', 'note', '--attributes', JSON.stringify(attributes)));
  await run(
    'resources',
    'update',
    noteId,
    '--attributes',
    '{"content":"A week."}',
    '--resource-version',
    '1',
  );
  expect(await run('resources', 'list', '--kind', 'note', '--query', 'week')).toBe(
    `${noteId}  note  version 2  Refunds\n`,
  );
  expect(JSON.parse(await run('resources', 'show', noteId))).toMatchObject({ content: 'A week.' });
  expect(await run('resources', 'versions', noteId)).toMatch(/^version 2 .*\nversion 1 .*\n$/);
  await run('resources', 'delete', noteId);
  expect(await run('resources', 'restore', noteId, '--resource-version', '1')).toContain(
    'version 3  Refunds',
  );

  const memory = { scope: 'user', person: 'ann', content: 'Ann prefers short answers.' };
  const memoryId = idOf(await run('resources', 'create', 'memory', '--attributes', JSON.stringify(memory)));
  await run('resources', 'update', memoryId, '--attributes', '{"content":"Ann prefers tables."}');
  const filters = ['--filters', '{"scope":"user","person":"ann"}'];
  expect(await run('resources', 'list', '--kind', 'memory', ...filters)).toContain('Ann prefers tables.');
  await run('resources', 'delete', memoryId);
  const wrong = await runCli(['resources', 'create', 'note', '--attributes', '{'], {
    environment: toEnvironment(),
  });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('is not JSON') as string });
}, 120_000);
