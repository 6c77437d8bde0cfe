import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeOperations } from '../../scripts/generate-client/describe-operations.ts';
import { generateClient } from '../../scripts/generate-client/generate-client.ts';
import { generateFields } from '../../scripts/generate-client/generate-fields.ts';
import { growTree } from '../../scripts/generate-client/grow-tree.ts';
import { listClientNames } from '../../scripts/generate-client/list-client-names.ts';
import { polishTypes } from '../../scripts/generate-client/polish-types.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

const committed = 'src/clients/client/generated';

function readFolder(folder: string) {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

it('the generated client is up to date: else run "npm run generate"', async () => {
  const folder = createTemporaryFolder();
  await generateClient('docs/openapi.json', folder, listClientNames());
  expect(readFolder(folder)).toEqual(readFolder(committed));
});

it('the fields of commands are up to date: else run "npm run generate"', () => {
  const folder = createTemporaryFolder();
  generateFields('docs/openapi.json', folder);
  expect(readFolder(folder)).toEqual(readFolder('src/clients/cli/generated'));
});

function describeData(properties: Record<string, object>) {
  const data = { type: 'object', properties } as const;
  const schema = { type: 'object', properties: { success: { type: 'boolean' }, data } } as const;
  const responses = { 200: { description: '', content: { 'application/json': { schema } } } };
  const operation = { operationId: 'someOperation', responses };
  return describeOperations({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { '/api/knowledge-bases/{id}/documents/{documentId}': { get: operation } },
  });
}

it.each([
  [{ agent: {} }, 'value', 'agent'],
  [{ agents: {}, nextCursor: {} }, 'page', 'agents'],
  [{ tool: {}, agent: {} }, 'data', undefined],
  [{ deleted: {} }, 'nothing', undefined],
  [{ deleted: {}, agent: {} }, 'value', 'agent'],
])('the answer %j is unwrapped as %s', (properties, answer, field) => {
  expect(describeData(properties)).toMatchObject([{ answer, field }]);
});

it('path parameters are named after what they identify', () => {
  expect(describeData({})[0]?.parameters).toEqual([
    { name: 'knowledgeBaseId', property: 'id' },
    { name: 'documentId', property: 'documentId' },
  ]);
});

it('optional properties may be undefined, and no others', () => {
  const polished = polishTypes('export type A = { a?: string; b: string; c?: never; d: { e?: 1 | 2 } };');
  expect(polished).toContain('a?: string | undefined;');
  expect(polished).toContain('b: string;');
  expect(polished).toContain('c?: never;');
  expect(polished).toContain('e?: (1 | 2) | undefined;');
});

/** Returns the names that operations, given as method, path and id, have in the client. */
function nameOperations(given: [method: string, path: string, id: string][], names = {}) {
  const operations = given.map(([method, path, id]) => ({
    ...{ id, method, path, comment: '', group: undefined, parameters: [], body: 'none' as const },
    ...{ hasQuery: false, repeatable: true, keyed: false, answer: 'value' as const, field: undefined },
  }));
  return JSON.parse(
    JSON.stringify(growTree(operations, names), (_key, value: { id?: unknown }) =>
      typeof value.id === 'string' ? value.id : value,
    ),
  ) as unknown;
}

it('the names of the client follow from methods and paths, where a route gives itself none', () => {
  const operations: [string, string, string][] = [
    ['DELETE', '/api/toy-boxes/{id}', 'breakBox'],
    ['GET', '/api/toy-boxes', 'listBoxes'],
    ['POST', '/api/toy-boxes', 'makeBox'],
    ['GET', '/api/toy-boxes/{id}', 'getBox'],
    ['PATCH', '/api/toy-boxes/{id}', 'changeBox'],
    ['POST', '/api/toy-boxes/{id}/shake', 'shakeBox'],
    ['GET', '/api/toy-boxes/{id}/toys', 'listToys'],
    ['DELETE', '/api/toy-boxes/{id}/toys/{toyId}', 'takeToy'],
    ['POST', '/api/toy-boxes/{id}/follow', 'followBox'],
    ['GET', '/health', 'getHealth'],
  ];
  const names = { takeToy: 'toyBoxes.toys.take', followBox: null };
  const tree = nameOperations(operations, names);
  expect(tree).toEqual({
    toyBoxes: {
      ...{ create: 'makeBox', get: 'getBox', list: 'listBoxes', update: 'changeBox', delete: 'breakBox' },
      ...{ shake: 'shakeBox', toys: { list: 'listToys', take: 'takeToy' } },
    },
  });
});

it.each([
  { what: 'has no name', operations: [['PUT', '/api/toys', 'setToys']], message: 'needs a clientName' },
  {
    what: 'has the name of another one',
    operations: [
      ['GET', '/api/toys', 'listToys'],
      ['GET', '/api/games', 'listGames'],
    ],
    names: { listGames: 'toys.list' },
    message: 'listGames has the name of another operation',
  },
  { what: 'is named and not there', names: { gone: 'x' }, message: 'there is no operation gone' },
] as { what: string; operations?: [string, string, string][]; names?: object; message: string }[])(
  'an operation that $what stops the generation',
  ({ operations = [], names, message }) => {
    expect(() => nameOperations(operations, names)).toThrow(message);
  },
);
