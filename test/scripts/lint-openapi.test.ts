import { expect, test } from 'vitest';
import { lintOpenApi } from '../../scripts/lint-openapi/lint-openapi.ts';

const document = {
  openapi: '3.1.0',
  info: {
    title: 'Pets',
    version: '1',
    description: 'Pets.',
    contact: { name: 'Keepers' },
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  security: [],
  tags: [{ name: 'pets', description: 'Pets.' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        description: 'Lists pets.',
        tags: ['pets'],
        responses: { 200: { description: 'Done' }, 400: { description: 'Invalid' } },
      },
    },
  },
};

test('a document that keeps the rules has no violations', async () => {
  expect(await lintOpenApi(document)).toEqual([]);
});

test('violations of the rules of both linters are named with their places', async () => {
  expect(await lintOpenApi({ ...document, servers: [], tags: [] })).toEqual([
    'redocly no-empty-servers: Servers must be a non-empty array. (#/servers)',
    'spectral oas3-api-servers: OpenAPI "servers" must be present and non-empty array. (#/servers)',
    'spectral operation-tag-defined: Operation tags must be defined in global tags. (#/paths//pets/get/tags/0)',
  ]);
});

test('two schemas that generators of clients name alike are a violation', async () => {
  const text = { type: 'string', enum: ['key'] };
  const auth = { type: 'object', properties: { types: { type: 'array', items: text } } };
  const properties = {
    auth,
    authTypes: { type: 'array', items: text },
    pets: { type: 'array', items: text },
  };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const answers = { 200: { description: 'Done', content }, 400: { description: 'Invalid' } };
  const paths = { '/pets': { get: { ...document.paths['/pets'].get, responses: answers } } };
  expect(await lintOpenApi({ ...document, paths })).toEqual([
    'holdfast same-name: auth.types.Item and authTypes.Item get one name in clients (#/paths//pets/get/200/application/json)',
  ]);
});
