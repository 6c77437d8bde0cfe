import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, test } from 'vitest';
import { clientEnvironmentNames } from '../../src/cli/client-config.ts';
import { environmentNames } from '../../src/main/config.ts';
import { listToolTypes } from '../../src/tools/find-tool-type.ts';
import { newId } from '../../src/lib/ids.ts';
import { findRunning } from '../../src/main/running.ts';
import { createHttpUser, type HttpUser } from '../labs/http-user.ts';
import { runTyped, typeCommand, type TypedCommand } from '../labs/typed-command.ts';
import { startEverything as startEverythingServer, type StartedServer } from '../servers/mcp-servers.ts';
import { deploy, followDeployment } from './deployment.ts';
import { createProject, listImports, runProgram, type Project } from './packed-package.ts';
import { readBlocks, readme, type ReadmeBlock } from './readme-blocks.ts';
import { patienceMs, proveStarted } from './started-project.ts';
import {
  checkPagePrograms,
  exampleSteps,
  listCommands,
  readPage,
  readToolPages,
  writePageFiles,
} from './tool-pages.ts';

const startCommand = 'npm start';
const originInReadme = 'http://127.0.0.1:3400';

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-'));
const dataDir = path.join(folder, 'data');
const stack = new AsyncDisposableStack();
let start: TypedCommand;
let origin: string;
let apiKey: string;
let user: HttpUser;
let project: Project;
let mcpServer: StartedServer;

beforeAll(async () => {
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  writePageFiles(folder, (text) => text);
  const [created, server] = await Promise.all([
    createProject(folder),
    startEverythingServer(),
    startEverything(),
  ]);
  project = created;
  mcpServer = server;
  stack.defer(server.kill);
  writePageFiles(folder, (text) => text.replaceAll(originInReadme, origin));
}, patienceMs);
afterAll(() => stack.disposeAsync());

// The test replaces the folder and the ports of the README, since other programs run on the machine.
async function startEverything(): Promise<void> {
  const variables = {
    PORT: '0',
    HOLDFAST_TEMPORAL_CLI: inject('temporalBinary'),
    HOLDFAST_FUNCTIONS: path.join(folder, 'functions'),
    HOLDFAST_WORKFLOWS_CONFIG: path.join(folder, 'workflows.json'),
  };
  start = stack.use(typeCommand(`${startCommand} -- --data '${dataDir}'`, { variables }));
  await start.printed('Ctrl-C stops everything.');
  origin = findRunning(dataDir)?.api ?? 'nothing runs';
  apiKey = readFileSync(path.join(dataDir, 'development-key'), 'utf8').trim();
  user = createHttpUser({ origin, apiKey });
}

/** Returns what `npm start` printed beside a name. */
function readBanner(name: string): string {
  return new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(start.output())?.[1] ?? `no ${name}`;
}

async function openConversation(): Promise<string> {
  const { agents } = (await user.request('/api/agents')) as { agents: { id: string; name: string }[] };
  const agentId = agents.find(({ name }) => name === 'Demo agent')?.id;
  const { conversation } = (await user.request('/api/conversations', { agentId })) as {
    conversation: { id: string };
  };
  return conversation.id;
}

async function holdTurn(message: string): Promise<string> {
  const path = `/api/conversations/${await openConversation()}/turns?wait=true`;
  const { turn } = (await user.request(path, { message })) as { turn: { id: string } };
  return turn.id;
}

async function runSnippet({ text }: ReadmeBlock): Promise<void> {
  const source = [
    text.replaceAll(originInReadme, origin),
    '// @ts-expect-error The types of the package are there: an outcome is no number.',
    'const wrong: number | null = outcome;',
    'console.log(`\\noutcome ${wrong}, as streamed: ${answer}`);',
  ].join('\n');
  const printed = await runProgram(project, { source, variables: { HOLDFAST_API_KEY: apiKey } });
  const [streamed = '', answer = ''] = printed.split('\noutcome completed, as streamed: ');
  expect(streamed).toContain(answer.trim());
  expect(answer).toContain('[demo model]');
}

/** Runs the snippet over the Temporal of the running Holdfast, with what `npm start` printed. */
async function runTemporalSnippet({ text }: ReadmeBlock): Promise<void> {
  const source = [
    text.replace('127.0.0.1:7233', findRunning(dataDir)?.temporal.address ?? ''),
    '// @ts-expect-error The types of the package are there: an outcome is no number.',
    'const wrong: number | null = outcome;',
    'console.log(wrong, answer);',
  ].join('\n');
  const variables = {
    WORKSPACE_ID: readBanner('Workspace'),
    CONVERSATION_ID: readBanner('Conversation'),
    TASK_QUEUE: readBanner('Task queue'),
  };
  expect(await runProgram(project, { source, variables })).toMatch(/^completed .*\[demo model\]/s);
}

async function runCurl({ text }: ReadmeBlock): Promise<void> {
  const variables = { CONVERSATION_ID: readBanner('Conversation'), HOLDFAST_API_KEY: apiKey };
  const command = text.replaceAll(originInReadme, origin);
  // The same request twice is one turn.
  const answers = [await runTyped(command, { variables }), await runTyped(command, { variables })].map(
    (answer) => (JSON.parse(answer) as { data: { turn: { id: string } } }).data.turn,
  );
  expect(answers[0]).toMatchObject({ outcome: 'completed', toolCalls: [{ name: 'current_time' }] });
  expect(answers[1]).toEqual(answers[0]);
}

/** The blocks of the deployment are one installation, so the last of them runs all. */
async function runDeployment({ text: programs }: ReadmeBlock): Promise<void> {
  const find = (start: string) => readBlocks().find(({ firstLine }) => firstLine === start)?.text ?? '';
  const blocks = { roles: find(rolesBlock), install: find(installBlock), programs };
  expect(await followDeployment(blocks)).toBe('completed');
}

const rolesBlock = 'CREATE ROLE holdfast_app;';
const installBlock =
  'export DATABASE_URL=postgres://holdfast_program:password@db:5432/holdfast TEMPORAL_ADDRESS=temporal:7233';

/** The check of each block of the README, by its first line. */
const proofs: Record<string, (block: ReadmeBlock) => void | Promise<void>> = {
  [startCommand]: () => {
    expect(start.output()).toContain(`${origin}/api`);
  },
  'npm create holdfast@latest my-app': (block) => proveStarted(project, block),
  'npx holdfast chat': async ({ text }) => {
    const variables = { HOLDFAST_DATA_DIR: dataDir };
    const printed = await runTyped(text, { variables, input: 'echo hello\nWhat is 6 * 7?\n' });
    expect(printed).toContain('Echo: hello');
    expect(printed).toContain('42');
  },
  // This command runs this test, so the test only checks that CI uses the same one.
  'npm test': ({ text }) => {
    expect(readFileSync('.ci/run', 'utf8')).toContain(`exec ${text}`);
  },
  // The package is built already, for the project of the test.
  'npm run build': async ({ text }) => {
    expect(text).toBe(exampleSteps);
    const setKey = text.replace('npm run build\n', '').replace('.holdfast', dataDir);
    expect((await runTyped(`${setKey}; echo "$HOLDFAST_API_KEY"`)).trim()).toBe(apiKey);
  },
  // A picture.
  sequenceDiagram: ({ language }) => {
    expect(language).toBe('mermaid');
  },
  "import { createHoldfastClient } from 'holdfast/client';": runSnippet,
  'curl -s "http://127.0.0.1:3400/api/conversations/$CONVERSATION_ID/turns?wait=true" \\': runCurl,
  "import { Client, Connection } from '@temporalio/client';": runTemporalSnippet,
  'npx holdfast turns show "$TURN_ID"': async ({ text }) => {
    const variables = { HOLDFAST_DATA_DIR: dataDir, TURN_ID: await holdTurn('add 20 and 22') };
    const timeline = await runTyped(text, { variables });
    expect(timeline).toContain(variables.TURN_ID);
    expect(timeline).toMatch(/tool\.executed +get-sum.*42/);
  },
  'npx holdfast audit verify': async ({ text }) => {
    await holdTurn('add 20 and 22');
    const printed = await runTyped(text, { variables: { HOLDFAST_DATA_DIR: dataDir } });
    expect(printed).toMatch(/workspace \S+: \d+ events, whole/);
  },
  'npx holdfast keys rotate': async ({ text }) => {
    const auth = { type: 'bearer', token: newId() };
    await user.request('/api/connections', { name: newId(), provider: 'github', auth });
    const printed = await runTyped(text, { variables: { HOLDFAST_DATA_DIR: dataDir } });
    expect(printed).toMatch(/[1-9]\d* secrets? w\w+ sealed again/);
  },
  [rolesBlock]: ({ language }) => expect(language).toBe('sql'),
  [installBlock]: ({ text }) => expect(text).toContain('npx holdfast migrate'),
  'npm run api': runDeployment,
  // A run takes minutes, so the test only checks that the command and its options exist.
  'npm run bench -- --quick': async ({ text }) => {
    expect(await runTyped(`${text} --help`)).toContain('--quick');
  },
  'npm run faults': async ({ text }) => {
    expect(await runTyped(`${text} -- --help`)).toContain('worker-killed');
  },
};

describe('README.md', { timeout: patienceMs }, () => {
  it.each(readBlocks())('has a block that works: $firstLine', async (block) => {
    const prove = proofs[block.firstLine];
    if (prove === undefined) throw new Error(`No test proves this block of README.md:\n${block.text}`);
    await prove(block);
  });

  it('links to files that exist', () => {
    const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  it('names variables and commands that exist', () => {
    const variables = [...readme.matchAll(/`(?:HOLDFAST_[A-Z_]+|[A-Z_]+_API_KEY|DATABASE_URL|PORT|HOST)`/g)];
    const names = variables.map(([name]) => name.slice(1, -1));
    const known = new Set([...environmentNames, ...clientEnvironmentNames]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const tasks = [...readme.matchAll(/`npm run (\w+)/g)].map(([, task = '']) => task);
    expect(tasks.filter((task) => !(task in scripts))).toEqual([]);
  });
});

describe('the pages about tools', () => {
  beforeAll(() => checkPagePrograms(project.folder));

  it('exist for each type, and README.md links to each', () => {
    const names = readToolPages().map(({ name }) => name.replaceAll('-', '_'));
    const types = listToolTypes().map(({ type }) => type);
    expect(names.sort()).toEqual(types.sort());
    for (const { name } of readToolPages()) expect(readme).toContain(`docs/tools/${name}.md`);
  });

  it.each(readToolPages())('have examples that work: $name', async (page) => {
    expect(page.blocks.map(({ text }) => text)).toContain(exampleSteps);
    await using worker = page.name === 'workflow' ? startRefundWorker() : undefined;
    const { knowledgeBase } = (await user.request('/api/knowledge-bases', { name: newId() })) as {
      knowledgeBase: { id: string };
    };
    writeFileSync(path.join(folder, 'handbook.md'), '# Handbook');
    const variables = { ...pinnedNode, HOLDFAST_API_KEY: apiKey, KNOWLEDGE_BASE_ID: knowledgeBase.id };
    for (const { command, printed } of listCommands(page)) {
      const adapted = command
        .replaceAll(originInReadme, origin)
        .replaceAll('http://127.0.0.1:3001/mcp', mcpServer.url);
      const output = await runTyped(adapted, { cwd: project.folder, variables });
      if (printed === undefined) expect(JSON.parse(output)).toMatchObject({ success: true });
      else expect(output).toContain(printed);
    }
    expect(worker?.output() ?? '').not.toContain('Error');
  });
});

test('the example of docs/approvals.md prints what the page says', async () => {
  const commands = listCommands(readPage('docs/approvals.md')).filter(({ printed }) => printed !== undefined);
  expect(commands).toHaveLength(1);
  const variables = { ...pinnedNode, HOLDFAST_API_KEY: apiKey };
  for (const { command, printed } of commands)
    expect(await runTyped(command, { cwd: project.folder, variables })).toContain(printed);
});

/** The Node that this runs on, whatever the machine calls `node`. */
const pinnedNode = { PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}` };

function startRefundWorker(): TypedCommand {
  const address = findRunning(dataDir)?.temporal.address ?? '';
  return typeCommand('npx node refund-worker.ts', {
    cwd: project.folder,
    variables: { ...pinnedNode, TEMPORAL_ADDRESS: address },
  });
}

describe('the published package', () => {
  it('adds the command to a project', async () => {
    const command = path.join(project.holdfast, 'scripts', 'holdfast.mjs');
    const printed = await runTyped(`'${command}' agents list --data '${dataDir}'`, { cwd: folder });
    expect(printed).toContain('Demo agent');
  });

  it('provides defineFunction, and a worker finds the functions', async () => {
    mkdirSync(path.join(folder, 'functions'), { recursive: true });
    const source = [
      "import { defineFunction, ToolFailure, z } from 'holdfast/functions';",
      'export const greet = defineFunction({',
      "  name: 'greet', description: 'Greets.', secrets: ['GREETING'],",
      "  input: z.object({ name: z.string().default('you') }),",
      '  run: ({ input, secrets }) => {',
      '    // @ts-expect-error The type of the input is known: a name is no number.',
      '    const wrong: number = input.name;',
      '    // @ts-expect-error And so are the secrets.',
      '    if (secrets.OTHER) throw new ToolFailure(`${wrong}`);',
      '    return `${secrets.GREETING} ${input.name}`;',
      '  },',
      '});',
    ].join('\n');
    writeFileSync(path.join(folder, 'functions', 'greet.ts'), source);
    const loader = path.join(project.holdfast, 'dist/src/functions/load-functions.js');
    const program = [
      source,
      `const { loadFunctions } = await import(${JSON.stringify(loader)});`,
      "const [{ definition }] = await loadFunctions('functions');",
      'console.log(definition.name, JSON.stringify(definition.schema));',
    ].join('\n');
    const printed = await runProgram(project, { source: program, variables: {} });
    expect(printed).toContain('greet {"type":"object"');
  });

  it('provides an API, a worker, and the commands of the terminal', async () => {
    const { turn, printed } = await deploy(({ databaseUrl, temporalAddress }) => {
      const variables = `DATABASE_URL='${databaseUrl}' TEMPORAL_ADDRESS=${temporalAddress}`;
      const run = (command: string) =>
        `'${process.execPath}' '${project.holdfast}/scripts/holdfast.mjs' ${command}`;
      return {
        ...{ api: `${variables} exec ${run('api')}`, worker: `${variables} exec ${run('worker')}` },
        further: [
          run("chat --agent 'Demo agent' 'What is 6 * 7?'"),
          run("replay --agent 'Demo agent' --html report.html --fail-under passed=1"),
          "grep -o '<h1>Replay</h1>' report.html",
          `${variables} ${run('histories export --out histories')}`,
          run('histories check histories'),
        ],
      };
    });
    expect(turn).toEqual({ outcome: 'completed', answered: true });
    for (const part of [
      'calculate answered: 42',
      'Wrote report.html.',
      '<h1>Replay</h1>',
      ', 0 of them differ.',
    ])
      expect(printed).toContain(part);
  });

  it('declares every package that it imports', () => {
    const file = path.join(project.holdfast, 'package.json');
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
    // A package finds itself by its own name.
    const declared = { ...dependencies, holdfast: '' };
    expect(listImports(project.holdfast).filter((name) => !(name in declared))).toEqual([]);
  });
});
