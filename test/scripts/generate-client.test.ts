import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeOperations } from '../../scripts/generate-client/describe-operations.ts';
import { generateClient } from '../../scripts/generate-client/generate-client.ts';
import { polishTypes } from '../../scripts/generate-client/polish-types.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

const committed = 'src/clients/client/generated';

function readFolder(folder: string) {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

it('the generated client is up to date: else run "npm run generate"', async () => {
  const folder = createTemporaryFolder();
  await generateClient('docs/openapi.json', folder);
  expect(readFolder(folder)).toEqual(readFolder(committed));
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
