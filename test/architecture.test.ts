import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';
import { folders, modules, parts, type Folder } from '../architecture.config.js';
import { findCycles, readImports, toGraph } from '../scripts/size/read-imports.ts';

const governed = folders.filter(({ isRoot }) => isRoot !== true);
const moduleFolders = modules.map(({ name }) => `src/modules/${name}`);

let eslint: ESLint;

beforeAll(() => {
  eslint = new ESLint({
    // The rules need no types, and a file that does not exist has none.
    overrideConfig: { languageOptions: { parserOptions: { project: null } } },
    ruleFilter: ({ ruleId }) => ruleId.startsWith('boundaries/') || ruleId === 'no-restricted-imports',
  });
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !/dist\/|node_modules\//.test(name))
    .sort();
}

/** Returns the first file of a folder that does not belong to an inner folder with an entry. */
function findFile({ folder }: Pick<Folder, 'folder'>): string {
  const inner = folders.map((each) => each.folder).filter((other) => other.startsWith(`${folder}/`));
  const file = listFiles(folder).find((name) => !inner.some((other) => name.startsWith(other)));
  if (file === undefined) throw new Error(`${folder} has no file`);
  return file;
}

/** Lints these lines as a file, and returns the lines that break the rules. */
async function findRefused(filePath: string, lines: string[]): Promise<string[]> {
  const [result] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath });
  return (result?.messages ?? []).map(({ line }) => lines[line - 1] ?? '');
}

function toImport(from: string, to: string, kind: 'type' | 'value'): string {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  const source = relative.startsWith('.') ? relative : `./${relative}`;
  return `import ${kind === 'type' ? 'type ' : ''}{ some } from '${source}';`;
}

describe('the architecture', () => {
  it('knows every folder of the source', () => {
    const grouped = ['src/modules', 'src/engines', 'src/clients', 'src/platform'];
    const found = ['src', ...grouped].flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}`),
    );
    const known = [...folders.map(({ folder }) => folder), ...moduleFolders, ...grouped];
    expect(found.filter((folder) => !known.includes(folder))).toEqual([]);
  });

  it('names only folders, modules and parts that exist', () => {
    const names = new Set([...folders.map(({ name }) => name), 'modules']);
    const named = [...folders, ...modules, ...parts].flatMap(({ imports = [], types = [] }) => [
      ...imports,
      ...types,
    ]);
    const needed = modules.flatMap(({ needs = [], reads = [] }) => [...needs, ...reads]);
    const known = new Set(modules.map(({ name }) => name));
    expect(named.filter((name) => !names.has(name))).toEqual([]);
    expect(needed.filter((name) => !known.has(name))).toEqual([]);
    expect(moduleFolders.filter((folder) => !existsSync(folder))).toEqual([]);
  });

  it('lets no two modules need each other, however far', () => {
    const left = new Map(modules.map(({ name, needs = [] }) => [name, needs]));
    for (let before = Infinity; left.size < before;) {
      before = left.size;
      for (const [name, needs] of left) if (!needs.some((needed) => left.has(needed))) left.delete(name);
    }
    expect([...left.keys()]).toEqual([]);
  });

  it('lets a module read the repositories of modules that it needs only', () => {
    for (const { name, needs = [], reads = [] } of modules)
      expect(
        reads.filter((read) => !needs.includes(read)),
        name,
      ).toEqual([]);
  });

  it.each(governed)('refuses what $name may not import, and only that', async (folder) => {
    const file = findFile(folder);
    const others = folders.filter(({ name }) => name !== folder.name);
    const asValue = (other: Folder) => toImport(file, findFile(other), 'value');
    const asType = (other: Folder) => toImport(file, findFile(other), 'type');
    const lines = others.flatMap((other) => [asValue(other), asType(other)]);
    const { imports = [], types = [] } = folder;
    const forbidden = others
      .filter(({ name }) => !imports.includes(name))
      .flatMap((other) => [asValue(other), ...(types.includes(other.name) ? [] : [asType(other)])]);
    expect(await findRefused(file, lines)).toEqual(forbidden);
  });

  it.each(governed)('refuses packages that $name may not import', async (folder) => {
    const lines = ["import { readFileSync } from 'node:fs';", "import eslint from 'eslint';"];
    const refused = folder.node === true ? lines.slice(1) : lines;
    expect(await findRefused(findFile(folder), lines)).toEqual(refused);
  });

  it.each(modules)('refuses use cases of modules that $name does not need', async ({ name, needs = [] }) => {
    const file = `src/modules/${name}/some-use-case.ts`;
    const toUseCase = (other: string) =>
      toImport(file, `src/modules/${other}/${useCases[other] ?? ''}`, 'type');
    const others = modules.map((other) => other.name).filter((other) => other !== name);
    const forbidden = others.filter((other) => !needs.includes(other)).map(toUseCase);
    expect(await findRefused(file, others.map(toUseCase))).toEqual(forbidden);
  });

  it.each(['src/attic/box.ts', 'src/engines/telegraph/key.ts', 'src/box.ts', 'src/platform/box.ts'])(
    'refuses %s, which is in no folder that it knows',
    async (file) => {
      expect(await findRefused(file, ['export const some = 1;'])).toEqual(['export const some = 1;']);
    },
  );

  it.each([
    [
      'a use case with fastify',
      'webhooks/create-webhook.ts',
      "import type { FastifyRequest } from 'fastify';",
    ],
    [
      'a use case with the HTTP server',
      'webhooks/create-webhook.ts',
      "import { routesOf } from '../../platform/http/route.ts';",
    ],
    [
      'a use case with the repository of another module',
      'webhooks/create-webhook.ts',
      "import { createTurnRepository } from '../turns/turn-repository.ts';",
    ],
    [
      'a repository with the type of a module that it does not need',
      'credits/credit-ledger-repository.ts',
      "import type { TurnRow } from '../turns/turn-rows.ts';",
    ],
    [
      'a use case with the routes of a module that it needs',
      'triggers/start-triggered.ts',
      "import { turnRoutes } from '../turns/turn-routes.ts';",
    ],
    [
      'a workflow with its repository',
      'webhooks/deliveries/delivery-workflow.ts',
      "import { createDeliveryRepository } from './delivery-repository.ts';",
    ],
    [
      'a workflow with a use case',
      'webhooks/deliveries/delivery-workflow.ts',
      "import { attemptDelivery } from './attempt-delivery.ts';",
    ],
    [
      'a command with its repository',
      'webhooks/webhook-commands.ts',
      "import { createWebhookRepository } from './webhook-repository.ts';",
    ],
    [
      'a command with the database',
      'webhooks/webhook-commands.ts',
      "import { connectDatabase } from '../../platform/database/connect-database.ts';",
    ],
    [
      'an engine with a workflow as a value',
      'webhooks/deliveries/delivery-engine.ts',
      "import { webhookDelivery } from './delivery-workflow.ts';",
    ],
    [
      'a module that imports the type of a module that needs it',
      'connections/create-connection.ts',
      "import type { WebhookDependencies } from '../webhooks/webhook-dependencies.ts';",
    ],
  ])('refuses %s', async (_what, file, line) => {
    expect(await findRefused(`src/modules/${file}`, [line])).toEqual([line]);
  });

  it('lets a workflow know the types of activities and functions of the domain', async () => {
    const lines = [
      "import type { Activities } from '../activities/index.ts';",
      "import { toPreview } from '../src/domain/text.ts';",
    ];
    expect(await findRefused('workflows/agent-turn.ts', lines)).toEqual([]);
  });

  it.each([
    ['an activity', "import { createActivities } from '../activities/index.ts';"],
    ['an id', "import { newId } from '../src/platform/lib/ids.ts';"],
    ['a part of Node', "import { readFileSync } from 'node:fs';"],
    ['the Temporal client', "import { Client } from '@temporalio/client';"],
    ['zod', "import { z } from 'zod';"],
  ])('refuses a workflow that imports %s by value', async (_what, line) => {
    expect(await findRefused('workflows/agent-turn.ts', [line])).toEqual([line]);
  });
});

describe('the console', () => {
  const lines = {
    client: "import { createHoldfastClient } from '../../../src/clients/client/index.ts';",
    words: "import { toCountText } from '../../../src/domain/replay-words.ts';",
    module: "import { isFailed } from '../../../src/modules/replays/report/is-failed.ts';",
    domain: "import { errorCodes } from '../../../src/domain/errors.ts';",
  };

  it('imports the client and the words of reports in its folder `api`, and nothing else of the server', async () => {
    const refused = await findRefused('console/src/api/some.ts', Object.values(lines));
    expect(refused).toEqual([lines.module, lines.domain]);
  });

  it('imports nothing of the server anywhere else', async () => {
    const all = Object.values(lines);
    expect(await findRefused('console/src/live/some.ts', all)).toEqual(all);
  });
});

/** A file of each module that has no suffix. */
const useCases: Record<string, string> = Object.fromEntries(
  moduleFolders.map((folder) => {
    const suffixed =
      /(?:-(?:workflow|contract|commands|routes|answer|engine|activities|sweep|repository|dependencies)|^module)\.ts$/;
    const file = readdirSync(folder).find((name) => name.endsWith('.ts') && !suffixed.test(name));
    return [path.posix.basename(folder), file ?? ''];
  }),
);

describe('the imports', () => {
  const files = ['src', 'workflows', 'activities', 'console/src', 'test', 'bench', 'scripts'].flatMap(
    listFiles,
  );
  const imports = readImports(files);

  it('form no cycle of files, types included', () => {
    expect(files.length).toBeGreaterThan(800);
    expect(findCycles(toGraph(imports))).toEqual([]);
  });

  it('form no cycle of modules, types included', () => {
    const toModule = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1] ?? '';
    const between = imports
      .map(({ from, to }) => ({ from: toModule(from), to: toModule(to) }))
      .filter(({ from, to }) => from !== '' && to !== '' && from !== to);
    expect(between.length).toBeGreaterThan(100);
    expect(findCycles(toGraph(between))).toEqual([]);
  });
});
