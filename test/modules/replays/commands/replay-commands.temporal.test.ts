import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildConsole } from '../../../../scripts/build-console/build-console.ts';
import type { Agent } from '../../../../src/domain/agent.ts';
import type { ReplayReport } from '../../../../src/domain/replay-report.ts';
import type { Replay } from '../../../../src/domain/replay.ts';
import {
  createReplayedAgent,
  recordConversation,
  startReplayLab,
  type ReplayLab,
} from '../../../labs/replay-scene.ts';
import { judgeByLength } from '../../../labs/judge-model.ts';
import { runCli } from '../../../labs/run-cli.ts';
import { createTemporaryFolder } from '../../../labs/temporary-folder.ts';

let scene: ReplayLab;
let agent: Agent;
/** The turn whose answer the candidate shortens. */
let shortened: string;

beforeAll(async () => {
  [scene] = await Promise.all([startReplayLab({ intercept: judgeByLength }), buildConsole()]);
  agent = await createReplayedAgent(scene);
  for (let number = 0; number < 4; number += 1) {
    const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });
    const instructed = { 'Be brief.': { rounds: [[lookUp('briefly')]], answer: 'Short.' } };
    const plan = { rounds: [[lookUp(String(number))]], answer: 'Long.' };
    const turns = await recordConversation(scene, agent.id, [number === 2 ? { ...plan, instructed } : plan]);
    if (number === 2) shortened = turns[0]?.id ?? '';
  }
});

afterAll(() => scene.close());

function run(commandArguments: string[], cwd = createTemporaryFolder()) {
  const environment = { HOLDFAST_URL: scene.api.url, HOLDFAST_API_KEY: scene.api.key };
  return runCli(commandArguments, { environment, cwd });
}

test('a replay prints its progress and its report, writes files, and fails under a limit', async () => {
  const cwd = createTemporaryFolder();
  writeFileSync(path.join(cwd, 'prompt.md'), 'Be brief.');
  const replay = ['replay', '--agent', 'replayed', '--instructions', 'prompt.md', '--name', 'Shorter'];
  const files = ['--html', 'a.html', '--json', 'a.json', '--markdown', 'a.md', '--junit', 'a.xml'];

  const result = await run([...replay, ...files, '--fail-under', 'trajectory=0.98,passed=0.75'], cwd);

  expect(result.stderr).toBe('Failed: trajectory: expected at least 98 %, found 75 %\n');
  expect(result.code).toBe(1);
  expect(result.stdout).toContain('Shorter (');
  expect(result.stdout).toContain('8 of 8 runs, completed');
  expect(result.stdout).toContain(
    '0 connections opened, 0 credentials decrypted, 8 calls answered: 7 exact, 1 nearest',
  );
  expect(result.stdout).toContain(
    'case 2: step 1, arguments: look_up {"query":"2"} → look_up {"query":"briefly"}',
  );
  const read = (file: string) => readFileSync(path.join(cwd, file), 'utf8');
  expect((JSON.parse(read('a.json')) as ReplayReport).cases[0]).toMatchObject({ position: 2, changed: true });
  expect(read('a.html')).toContain('<!doctype html>');
  expect(read('a.md')).toContain('### Replay');
  expect(read('a.xml')).toContain('failures="1"');
});

test('a replay of the same version meets every condition', async () => {
  const same = ['replay', '--agent', agent.id, '--candidate-version', '1', '--sample', '2', '--seed', '5'];
  const result = await run([...same, '--fail-under', 'trajectory=1,passed=1', '--fail-on', 'worse']);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toContain('2 of 2 runs of the candidate passed');
});

test('a judge, stubs, prices and the conditions of a case are given as options', async () => {
  const cwd = createTemporaryFolder();
  const write = (file: string, content: unknown) => {
    writeFileSync(path.join(cwd, file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  write('prompt.md', 'Be brief.');
  write('rubric.md', 'Shorter is better.');
  write('labels.json', { [shortened]: 'better' });
  write('stubs.json', { look_up: 'Nothing.' });
  write('prices.json', {
    'compatible/planned': { input: 1, output: 2 },
    'compatible/judge': { input: 1, output: 2 },
  });
  const judged = ['--judge', 'compatible/judge', '--rubric', 'rubric.md', '--labels', 'labels.json'];
  const answered = ['--on-miss', 'stub', '--stubs', 'stubs.json', '--prices', 'prices.json'];
  const passing = ['--pass-trajectory', 'exact', 'arguments_differ', '--pass-answer', 'exact'];
  const limits = ['--model-calls-per-minute', '6000', '--max-output-tokens', '500', '--json', 'a.json'];
  const replay = [
    'replay',
    '--agent',
    'replayed',
    '--instructions',
    'prompt.md',
    '--fail-under',
    'judge=0.7',
  ];

  const result = await run([...replay, ...judged, ...answered, ...passing, ...limits], cwd);

  expect(result.stderr).toBe('Failed: judge: expected at least 70 %, found 62.5 %\n');
  expect(result.stdout).toContain(
    'The judge compatible/judge found the candidate: 1 better (25.0 %, 95 % interval 4.6 to 69.9 %), 0 worse, 3 tie',
  );
  expect(result.stdout).toContain(
    'it contradicted itself in 3 of 4 (75.0 %) when the answers changed places; it agreed with people in 1 of 1 (100.0 %)',
  );
  const report = JSON.parse(readFileSync(path.join(cwd, 'a.json'), 'utf8')) as ReplayReport;
  expect(report.replay.input).toMatchObject({
    pass: { trajectories: ['exact', 'arguments_differ'], answer: 'exact' },
    ...{ onMiss: 'stub', stubs: { look_up: 'Nothing.' }, modelCallsPerMinute: 6000 },
    candidate: { sampling: { maxOutputTokens: 500 } },
  });
  expect(report.lanes.candidate?.costUsd).toBeGreaterThan(0);
  expect(report.lanes.candidate?.passed).toBe(3);
});

test('stored replays are listed, shown, reported, and refuse what has no meaning for them', async () => {
  const { replays } = await scene.api.ask<{ replays: Replay[] }>('GET', '/api/replays');
  const id = replays[0]?.id ?? '';
  expect((await run(['replays', 'list'])).stdout).toContain(id);
  expect((await run(['replays', 'show', id])).stdout).toContain('completed: ');
  expect(await run(['replays', 'report', id, '--fail-under', 'passed=0'])).toMatchObject({ code: 0 });
  const judged = ['replays', 'report', id, '--margin', 'cost=0.2', '--fail-on', 'worse,inconclusive'];
  const inconclusive = await run(judged);
  expect(inconclusive).toMatchObject({ code: 1, stderr: 'Failed: the replay is too small for a verdict\n' });
  expect(inconclusive.stdout).toContain('This replay is too small to say whether the candidate is worse');
  expect(inconclusive.stdout).toContain('p (Holm): the probability of a difference');
  expect(await run(['replays', 'pause', id])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'The replay is completed, so it cannot be told to pause.\n',
  });
});

test('a selection without turns fails, and wrong options are refused before anything is started', async () => {
  const none = await run(['replay', '--agent', agent.id, '--to', '2020-01-01']);
  expect(none).toMatchObject({ code: 1, stderr: 'Failed: no recorded turn matches the selection\n' });
  const count = async () =>
    (await scene.api.ask<{ replays: Replay[] }>('GET', '/api/replays?limit=100')).replays.length;
  const before = await count();
  for (const wrong of [
    ['--fail-under', 'cost=1'],
    ['--fail-on', 'better'],
    ['--margin', 'cost=10%'],
    ['--instructions', 'none.md'],
    ['--seed', '1'],
    ['--repeats', 'x'],
    ['--mode', 'x'],
    ['--judge', 'compatible/judge'],
    ['--rubric', 'none.md'],
    ['--stubs', 'none.json'],
    ['--pass-answer', 'x'],
  ])
    expect((await run(['replay', '--agent', agent.id, ...wrong])).code).toBe(1);
  expect(await count()).toBe(before);
});

test('an agent of the code is replayed as it lies in a file, and nothing is pushed', async () => {
  const cwd = createTemporaryFolder();
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module" }');
  const lookUp = (name: string) => `mcpTool({
    tool: '${name}', server: 'lab', description: 'Looks something up.',
    input: { type: 'object', properties: {} }, settings: { effect: 'read_only' },
  })`;
  const write = (instructions: string, ...tools: string[]) => {
    writeFileSync(
      path.join(cwd, 'replayed.ts'),
      `import { defineAgent, functionTool, mcpTool } from 'holdfast/agents';
import { defineFunction, z } from 'holdfast/functions';
const unknown = defineFunction({
  name: 'not_deployed', description: 'Is on no server.', input: z.object({}), run: () => 'nothing',
});
export const replayed = defineAgent({
  name: 'Replayed', model: 'compatible/planned', instructions: '${instructions}', execution: 'direct',
  tools: [unknown, ${tools.join(', ')}],
});
`,
    );
  };
  const replay = ['replay', '--code', 'replayed.ts', '--json', 'a.json'];
  const gate = ['--fail-under', 'passed=1'];
  const before = await scene.api.ask<{ agents: Agent[] }>('GET', '/api/agents');

  write('Do as you are told.', lookUp('look_up'));
  expect(await run([...replay, ...gate], cwd)).toMatchObject({ code: 0, stderr: '' });

  write('Be brief.', lookUp('look_up'));
  const changed = await run([...replay, ...gate], cwd);
  expect(changed.stderr).toBe('Failed: passed: expected at least 100 %, found 75 %\n');
  const report = JSON.parse(readFileSync(path.join(cwd, 'a.json'), 'utf8')) as ReplayReport;
  expect(report.replay.input.selection.agentId).toBe(agent.id);
  expect(report.summary.outside).toEqual({ connectionsOpened: 0, credentialsDecrypted: 0 });

  const live = await run(['replay', '--code', 'replayed.ts', '--live', 'look_up'], cwd);
  expect(live.stderr).toContain('live calls need an agent that is pushed');
  write('Be brief.', "mcpTool({ tool: 'look_up', connection: 'Nowhere' })");
  const unknown = await run(replay, cwd);
  expect(unknown.stderr).toContain('there is no connection "Nowhere"');
  expect([live.code, unknown.code]).toEqual([1, 1]);
  expect(await scene.api.ask('GET', '/api/agents')).toEqual(before);
});
