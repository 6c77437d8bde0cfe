import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { newId } from '../../src/platform/lib/ids.ts';
import { runTyped, typeCommand, type TypedCommand } from '../labs/typed-command.ts';
import { startEverything, type StartedServer } from '../servers/mcp-servers.ts';
import { listDeadLinks } from './dead-links.ts';
import { deploy } from './deployment.ts';
import { testExample } from './example-projects.ts';
import { createProject, listImports, runProgram } from './packed-package.ts';
import { checkPagePrograms, greetFunction } from './page-programs.ts';
import { listProvenBlocks, readBlocks } from './readme-blocks.ts';
import { provenPages } from './readme-proofs.ts';
import { startReadmeScene, type ReadmeScene } from './readme-scene.ts';
import { patienceMs, proveStarted } from './started-project.ts';
import { listCommands, pinnedNode, readPage, readToolPages } from './tool-pages.ts';

let scene: ReadmeScene;
beforeAll(async () => {
  scene = await startReadmeScene(createProject);
}, patienceMs);
afterAll(() => scene.stop());

describe('README.md, and the pages beside it', { timeout: patienceMs }, () => {
  it.each(listProvenBlocks(provenPages))(
    'have a block that works: $page, $firstLine',
    async ({ block, prove }) => {
      if (prove === undefined) throw new Error(`No test proves this block:\n${block.text}`);
      await prove(block, scene);
    },
  );

  it('lead to no other program', () => {
    const key = scene.variables['HOLDFAST_API_KEY'] ?? '';
    expect(scene.others.requests().filter((request) => request.includes(key))).toEqual([]);
  });
});

test(
  'a clone makes a project that works, as docs/agents-as-code.md says',
  { timeout: patienceMs },
  async () => {
    const page = readFileSync('docs/agents-as-code.md', 'utf8');
    const block = readBlocks(page).find(({ firstLine }) => firstLine.startsWith('npm run create'));
    await proveStarted(scene.project, block?.text ?? 'no block');
  },
);

describe('the pages about tools', { timeout: patienceMs }, () => {
  let mcpServer: StartedServer;
  beforeAll(async () => {
    mcpServer = await startEverything();
  });
  afterAll(() => mcpServer.kill());

  it.each(readToolPages())('have examples that work: $name', async (page) => {
    await using worker = page.name === 'workflow' ? startRefundWorker() : undefined;
    const { knowledgeBase } = (await scene.user.request('/api/knowledge-bases', { name: newId() })) as {
      knowledgeBase: { id: string };
    };
    writeFileSync(path.join(scene.folder, 'handbook.md'), '# Handbook');
    const typed = { ...pinnedNode, ...scene.variables, KNOWLEDGE_BASE_ID: knowledgeBase.id };
    for (const { command, printed } of listCommands(page)) {
      const adapted = command.replaceAll('http://127.0.0.1:3001/mcp', mcpServer.url);
      const output = await runTyped(adapted, { cwd: scene.project.folder, variables: typed });
      if (printed === undefined) expect(JSON.parse(output)).toMatchObject({ success: true });
      else expect(output).toContain(printed);
    }
    expect(worker?.output() ?? '').not.toContain('Error');
  });
});

test('the example of docs/approvals.md prints what the page says', async () => {
  const commands = listCommands(readPage('docs/approvals.md')).filter(({ printed }) => printed !== undefined);
  expect(commands).toHaveLength(1);
  const typed = { ...pinnedNode, ...scene.variables };
  for (const { command, printed } of commands)
    expect(await runTyped(command, { cwd: scene.project.folder, variables: typed })).toContain(printed);
});

function startRefundWorker(): TypedCommand {
  const typed = { ...pinnedNode, ...scene.variables };
  return typeCommand('node refund-worker.ts', { cwd: scene.project.folder, variables: typed });
}

describe('the published package', { timeout: patienceMs }, () => {
  it('has the types that every program of the pages needs', async () => {
    expect(await checkPagePrograms(scene.project.folder)).toContain('docs/turns/wrong-call.ts');
  });

  it('has no dead links', () => {
    expect(listDeadLinks(scene.project.holdfast)).toEqual([]);
  });

  it('is what the application of the examples is built on, whose tests pass', async () => {
    expect(await testExample(scene.project, 'support')).toMatch(/^ℹ fail 0$/m);
  });

  it('adds the command to a project', async () => {
    const command = path.join(scene.project.holdfast, 'scripts', 'holdfast.mjs');
    const printed = await runTyped(`'${command}' agents list --data '${scene.dataDir}'`, {
      cwd: scene.folder,
    });
    expect(printed).toContain('Demo agent');
  });

  it('provides defineFunction, and a worker finds the functions', async () => {
    mkdirSync(path.join(scene.folder, 'functions'), { recursive: true });
    writeFileSync(path.join(scene.folder, 'functions', 'greet.ts'), greetFunction);
    const loader = path.join(scene.project.holdfast, 'dist/src/engines/functions/load-functions.js');
    const program = [
      greetFunction,
      `const { loadFunctions } = await import(${JSON.stringify(loader)});`,
      "const [{ definition }] = await loadFunctions('functions');",
      'console.log(definition.name, JSON.stringify(definition.schema));',
    ].join('\n');
    const printed = await runProgram(scene.project, { source: program, variables: {} });
    expect(printed).toContain('greet {"type":"object"');
  });

  it('provides an API, a worker, and the commands of the terminal', async () => {
    const { turn, printed } = await deploy(({ databaseUrl, temporalAddress }) => {
      const variables = `DATABASE_URL='${databaseUrl}' TEMPORAL_ADDRESS=${temporalAddress}`;
      const run = (command: string) =>
        `'${process.execPath}' '${scene.project.holdfast}/scripts/holdfast.mjs' ${command}`;
      return {
        ...{ api: `${variables} exec ${run('api')}`, worker: `${variables} exec ${run('worker')}` },
        further: [
          run("chat --agent 'Demo agent' 'What is 6 * 7?'"),
          run("replay --agent 'Demo agent' --html report.html --fail-under passed=1"),
          "grep -o '<title>Replay · Holdfast</title>' report.html",
          `${variables} ${run('histories export --out histories')}`,
          run('histories check histories'),
        ],
      };
    });
    expect(turn).toEqual({ outcome: 'completed', answered: true });
    for (const part of [
      'calculate answered: 42',
      'Wrote report.html.',
      '<title>Replay · Holdfast</title>',
      ', 0 of them differ.',
    ])
      expect(printed).toContain(part);
  });

  it('declares every package that it imports', () => {
    const file = path.join(scene.project.holdfast, 'package.json');
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
    // A package finds itself by its own name.
    const declared = { ...dependencies, holdfast: '' };
    expect(listImports(scene.project.holdfast).filter((name) => !(name in declared))).toEqual([]);
  });
});
