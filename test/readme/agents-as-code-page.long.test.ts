import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import { findRunning, isAlive } from '../../src/main/running.ts';
import { eventually } from '../labs/eventually.ts';
import { createHttpUser, type HttpUser } from '../labs/http-user.ts';
import { runTyped, typeCommand, type TypedCommand } from '../labs/typed-command.ts';
import { linkHoldfast } from './linked-package.ts';
import { patienceMs } from './started-project.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/agents-as-code.md');
const stack = new AsyncDisposableStack();
let folder: string;
let start: TypedCommand;
let user: HttpUser;
let commands: string[];
let variables: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  for (const { file, text } of page.blocks) if (file !== undefined) save(file, text);
  variables = {
    HOLDFAST_DATA_DIR: path.join(folder, 'data'),
    HOLDFAST_AGENTS: path.join(folder, 'agents'),
    HOLDFAST_FUNCTIONS: path.join(folder, 'functions'),
  };
  start = stack.use(
    typeCommand('npm start', {
      variables: { ...variables, PORT: '0', HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') },
    }),
  );
  await start.printed('Ctrl-C stops everything.');
  const origin = findRunning(variables['HOLDFAST_DATA_DIR'] ?? '')?.api ?? 'nothing runs';
  const apiKey = readFileSync(path.join(folder, 'data', 'development-key'), 'utf8').trim();
  user = createHttpUser({ origin, apiKey });
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  commands = listCommands(page).flatMap(({ command }) =>
    command.startsWith('npx holdfast ')
      ? [command.replace('npx holdfast', program).replace('--agents pulled', `--agents '${folder}/pulled'`)]
      : [],
  );
});
afterAll(() => stack.disposeAsync());

/** Saves a file as an editor does. */
function save(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), `${text}\n`);
}

function textOf(file: string): string {
  return page.blocks.find((block) => block.file === file)?.text ?? `no ${file}`;
}

function type(command: string | undefined): Promise<string> {
  return runTyped(command ?? 'false', { variables });
}

async function findAgent(name: string): Promise<Agent | undefined> {
  const { agents } = (await user.request('/api/agents')) as { agents: Agent[] };
  return agents.find((agent) => agent.name === name);
}

/** Lets the demo model call the function, and returns what it was told. */
async function askForPrice(): Promise<unknown> {
  const agent = await findAgent('Parcels');
  const { conversation } = (await user.request('/api/conversations', { agentId: agent?.id })) as {
    conversation: { id: string };
  };
  const { turn } = (await user.request(`/api/conversations/${conversation.id}/turns?wait=true`, {
    message: 'use shipping_price with {"kilograms": 2}',
  })) as { turn: { toolCalls: { result: unknown }[] } };
  return turn.toolCalls[0]?.result;
}

test('npm start pushes the agents of docs/agents-as-code.md, and its commands find nothing left to push', async () => {
  const printed = page.blocks.find(({ text }) => text.startsWith('+ Parcels'))?.text.split('\n') ?? [];
  await start.printed('Pushed Support: version 1.');
  // The page shows paths as in the folder of the project.
  const shown = start.output().replaceAll(`${folder}/`, '');
  for (const line of printed) expect(shown).toContain(`push   | ${line}\n`);
  const support = await findAgent('Support');
  expect(support).toMatchObject({ version: 1, limits: { maxIterations: 6 } });
  expect(support?.tools.map(({ name }) => name)).toEqual(['calculate', 'ask_parcels']);
  const [push, dryRun, pull] = commands;
  expect(await type(push)).toBe('Nothing to push. The same as in the files: 2 agents.\n');
  expect(await type(dryRun)).toBe('No difference.\n');
  await type(pull);
  const pulled = readFileSync(path.join(folder, 'pulled', 'parcels.ts'), 'utf8');
  expect(pulled).toContain("functionTool('shipping_price')");
  expect(await type(`${push} --dry-run --agents '${folder}/pulled'`)).toBe('No difference.\n');
});

test('a function that is saved runs at the next call, without a restart, and what it says of itself is pushed', async () => {
  expect(JSON.stringify(await askForPrice())).toContain('6');
  const file = 'functions/shipping.ts';
  save('functions/prices/base.ts', 'export const base = 40;');
  save(
    file,
    `import { base } from './prices/base.ts';\n${textOf(file).replace('4 +', 'base +').replace('Tells', 'Knows')}`,
  );
  await start.printed('Pushed Parcels: version 2.');
  expect(JSON.stringify(await askForPrice())).toContain('42');
  // A file that the function imports is loaded again as well.
  save('functions/prices/base.ts', 'export const base = 70;');
  await eventually(askForPrice, (told) => JSON.stringify(told).includes('72'));
  expect(start.output()).not.toContain('ended with');
});

test('a file that cannot be used is named with its line, and does not stop npm start', async () => {
  const [agents, functions] = ['agents/parcels.ts', 'functions/prices/base.ts'];
  save(agents, `\n\nconst broken = {{ 1;`);
  await start.printed(`agents/parcels.ts:3 cannot be loaded`);
  save(functions, 'export const base = ;');
  await start.printed('Functions stay as they were');
  expect(start.output()).toMatch(/Functions stay as they were: \S*base\.ts:1 cannot be loaded/);
});

test('the next save of a file that could not be used is loaded and pushed', async () => {
  save('functions/prices/base.ts', 'export const base = 90;');
  await eventually(askForPrice, (told) => JSON.stringify(told).includes('92'));
  const agent = 'agents/parcels.ts';
  save(agent, textOf(agent).replace('what parcels cost', 'what parcels cost today'));
  const saved = await eventually(
    () => findAgent('Parcels'),
    (found) => found?.instructions.includes('today') ?? false,
  );
  expect(saved?.version).toBeGreaterThan(2);
});

test(
  'the tests of the page pass, and the test runner takes no file outside of their folder',
  async () => {
    const project = path.join(folder, 'project');
    for (const { file, text } of page.blocks) if (file !== undefined) save(path.join('project', file), text);
    save('project/refund-test.mjs', "throw new Error('The script was run.');");
    linkHoldfast(project);
    const [, pattern = 'no pattern'] = /`node --test ("[^"`]+")`/.exec(page.text) ?? [];
    const printed = await runTyped(`'${process.execPath}' --test ${pattern}`, {
      cwd: project,
      variables: { HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') },
    });
    expect(printed).toMatch(/pass 2\b/);
  },
  patienceMs,
);

test('Ctrl-C during a push stops the watch of files, the push and everything else', async () => {
  const running = findRunning(variables['HOLDFAST_DATA_DIR'] ?? '');
  // A push that loads this file goes on until it is stopped.
  save(
    'agents/endless.ts',
    `console.log('loading'); await new Promise((resolve) => setTimeout(resolve, 600_000));`,
  );
  await start.printed('push   | loading');
  start.pressCtrlC();
  await start.ended;
  expect(start.output()).toContain('Everything is stopped.');
  const pids = Object.values(running?.pids ?? {});
  expect(pids.length).toBeGreaterThan(4);
  expect(pids.filter((pid) => pid !== undefined && isAlive(pid))).toEqual([]);
});
