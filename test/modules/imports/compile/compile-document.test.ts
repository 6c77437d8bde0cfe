import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import {
  compileDocument,
  type CompileOptions,
} from '../../../../src/modules/imports/compile/compile-document.ts';
import { checkToolSchema } from '../../../../src/engines/tools/json-schema/tool-arguments.ts';
import { describePetStore } from '../../../fixtures/pet-store.ts';
import { describeOne, expectProblems, expectRefusal, withBody } from './one-operation.ts';

const address = 'https://pets.example/v1';

describe('a document', () => {
  test('becomes a provider with names, effects, schemas and auth', () => {
    const { definition, report } = compileDocument(describePetStore(address), { name: 'pets' });
    expect(definition).toMatchObject({
      ...{ name: 'pets', title: 'Pet Store', description: 'Keeps pets.', category: 'other' },
      baseUrl: address,
      auth: { types: ['bearer'], hint: 'A token of the shop.' },
      verify: { request: 'GET /pets' },
    });
    expect(report.operations.map(({ name, effect, destructive }) => [name, effect, destructive])).toEqual([
      ['pets_list', 'read_only', false],
      ['pets_create', 'keyed', false],
      ['pets_get', 'read_only', false],
      ['pets_delete', 'idempotent', true],
      ['put_pets_pet-id_photo', 'idempotent', false],
    ]);
    const { pets_list: list, pets_create: create, ...others } = definition.operations;
    expect(list).toMatchObject({
      request: 'GET /pets',
      ...{ query: ['tags'], rename: { tags: 'tags[]' }, styles: { tags: {} } },
      headers: { 'X-Trace': '{X_Trace}' },
      schema: { properties: { X_Trace: { type: 'string' } }, additionalProperties: false },
    });
    expect(create).toMatchObject({
      ...{ effect: 'keyed', idempotencyHeader: 'Idempotency-Key', needsBody: true },
      schema: {
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'The name of the pet', minLength: 1 },
          tag: { type: ['string', 'null'] },
          parent: { description: 'As Pet above' },
        },
      },
    });
    expect(create?.schema.properties).not.toHaveProperty('id');
    expect(others['put_pets_pet-id_photo']).toMatchObject({
      request: 'PUT /pets/{pet_id}/photo',
      ...{ bodyFormat: 'multipart', files: ['photo'] },
      schema: { properties: { photo: { format: 'uuid', description: 'The file: the id of a stored file' } } },
    });
    for (const { schema } of Object.values(definition.operations)) expect(checkToolSchema(schema)).toBeNull();
  });

  test('is imported in parts, by ids, methods with paths, and tags', () => {
    const names = (options: CompileOptions) =>
      compileDocument(describePetStore(address), options).report.operations.map(({ name }) => name);
    expect(names({ operations: ['pets/get', 'DELETE /pets/{pet-id}'] })).toEqual(['pets_get', 'pets_delete']);
    expect(names({ tags: ['pets'], operations: ['pets/get'] })).toEqual([
      'pets_list',
      'pets_create',
      'pets_get',
    ]);
    expect(expectProblems(describePetStore(address), { operations: ['pets/x'], tags: ['y'] })).toEqual([
      'operations.0',
      'tags.0',
    ]);
  });

  test('has the effects that the import sets, of operations that it imports', () => {
    const store = describePetStore(address);
    const { report } = compileDocument(store, {
      effects: { 'pets/create': 'unsafe', pets_delete: 'unsafe' },
    });
    expect(report.operations.map(({ effect }) => effect)).toEqual([
      ...['read_only', 'unsafe', 'read_only', 'unsafe', 'idempotent'],
    ]);
    const chosen = { operations: ['pets/get'], effects: { 'pets/create': 'unsafe' as const } };
    expect(expectProblems(store, chosen)).toEqual(['effects.pets/create']);
    expect(expectProblems(store, { effects: { 'pets/get': 'keyed' } })).toEqual(['effects.pets_get']);
  });

  test('gives names that are valid and unique, also without ids', () => {
    const { report } = compileDocument(
      {
        ...describeOne({}, {}),
        paths: {
          '/a/{b}': { get: {}, post: { operationId: 'get a b' } },
          '/long': { get: { operationId: 'x'.repeat(200) }, put: { operationId: 'x'.repeat(201) } },
          '/1': { get: { operationId: '1' } },
        },
      },
      { name: 'things' },
    );
    const names = report.operations.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['get_a_b', 'get_a_b_2']);
    expect(names[4]).toBe('field');
    for (const name of names) expect(`things_${name}`).toMatch(/^[A-Za-z][\w-]{0,63}$/);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what is wrong with a document is told with its place', () => {
  test.each<[string, JsonObject, string, string]>([
    ['Swagger 2', { swagger: '2.0', paths: {} }, '/swagger', 'convert'],
    ['another version', { openapi: '4.0.0', paths: {} }, '/openapi', '3.1.0'],
    ['no paths', { openapi: '3.0.0' }, '/paths', 'an object of paths'],
    ['a path without a slash', { openapi: '3.0.0', paths: { a: {} } }, '/paths/a', 'begins with "/"'],
    ['an operation that is a text', describeOne('x' as never), '/paths/~1things~1{id}/post', 'an object'],
    [
      'parameters that are no list',
      describeOne({ parameters: {} }),
      '/paths/~1things~1{id}/post/parameters',
      'a list',
    ],
    [
      'a parameter without a place',
      describeOne({ parameters: [{ name: 'id' }] }),
      '/paths/~1things~1{id}/post/parameters/0',
      'no name or no place',
    ],
    [
      'a reference that leads nowhere',
      withBody({ $ref: '#/components/schemas/None' }),
      '/paths/~1things/post/requestBody/content/application~1json/schema/$ref',
      'leads nowhere',
    ],
    [
      'a reference out of the document, deep inside',
      withBody({ type: 'object', properties: { a: { items: { $ref: 'https://evil.example/a.json' } } } }),
      '/paths/~1things/post/requestBody/content/application~1json/schema/properties/a/items/$ref',
      'leads out of the document',
    ],
    [
      'a server without a host',
      { ...describeOne({}), servers: [{ url: '/v1' }] },
      '/servers/0/url',
      'give baseUrl',
    ],
  ])('%s', (...[, document, pointer, message]) => {
    const refusal = expectRefusal(document);
    expect(refusal.pointer).toBe(pointer);
    expect(refusal.message).toContain(message);
  });
});
