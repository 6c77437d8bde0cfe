import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { RoutineError } from '../../../../src/domain/routine-error.ts';
import { findOperation } from '../../../../src/engines/openapi/find-operation.ts';
import { orRoutineError } from '../../../../src/engines/tools/openapi/routine-failure.ts';
import { toOpenApiRequest } from '../../../../src/modules/routines/calls/to-openapi-request.ts';

const documentUrl = 'https://docs.example.test/v1/openapi.json';

/** A document of one operation. */
function describeOperation(operation: JsonObject, more: JsonObject = {}, path = '/pets/{id}'): JsonObject {
  const described = { operationId: 'one', ...operation };
  return { openapi: '3.0.3', paths: { [path]: { post: described } }, ...more };
}

function toRequest(document: JsonObject, given: JsonObject = {}): JsonObject {
  return toOpenApiRequest(
    orRoutineError(() => findOperation(document, 'one', documentUrl)),
    given,
  );
}

function listParameters(...parameters: JsonObject[]): JsonObject {
  return { parameters: parameters.map((one) => ({ schema: {}, ...one })) };
}

const id = { name: 'id', in: 'path', required: true };

describe('an operation of OpenAPI 3', () => {
  test('has its parameters where the document says', () => {
    const operation = listParameters(
      id,
      { name: 'tags', in: 'query' },
      { name: 'near', in: 'query', explode: false },
      { name: 'page', in: 'query', style: 'deepObject' },
      { name: 'X-Trace', in: 'header' },
      { name: 'seen', in: 'cookie' },
    );
    const given = {
      id: 'a/../b',
      tags: ['x', 'y z'],
      near: [1, 2],
      page: { size: 5 },
      'X-Trace': 7,
      seen: true,
    };
    expect(toRequest(describeOperation(operation), given)).toEqual({
      method: 'POST',
      url: 'https://docs.example.test/pets/a%2F..%2Fb?tags=x&tags=y+z&near=1%2C2&page%5Bsize%5D=5',
      headers: {
        accept: 'application/json, */*;q=0.5',
        'user-agent': 'holdfast',
        'x-trace': '7',
        cookie: 'seen=true',
      },
    });
  });

  test('follows references within the document', () => {
    const document = {
      openapi: '3.1.0',
      paths: { '/pets/{id}': { $ref: '#/components/pathItems/a~1b' } },
      components: {
        pathItems: {
          'a/b': { parameters: [{ $ref: '#/components/parameters/id' }], get: { operationId: 'one' } },
        },
        parameters: { id: { $ref: '#/components/parameters/other' }, other: { ...id, schema: {} } },
      },
    };
    expect(toRequest(document, { id: 5 })).toMatchObject({
      method: 'GET',
      url: 'https://docs.example.test/pets/5',
    });
  });

  test.each([
    ['leads to itself', { $ref: '#/components/parameters/a' }, 'too many'],
    ['leads to another document', { $ref: 'https://a.test/x.json#/a' }, 'out of the document'],
    ['leads nowhere', { $ref: '#/components/parameters/none' }, 'nowhere'],
    ['leads to what objects inherit', { $ref: '#/constructor' }, 'nowhere'],
  ])('refuses a reference that %s', (_, reference, message) => {
    const components = { parameters: { a: { $ref: '#/components/parameters/a' } } };
    const document = describeOperation({ parameters: [reference] }, { components });
    expect(() => toRequest(document)).toThrow(message);
  });

  test.each([
    ['/', 'https://docs.example.test/pets/1'],
    ['/api/', 'https://docs.example.test/api/pets/1'],
    ['v2', 'https://docs.example.test/v1/v2/pets/1'],
    ['https://{region}.example.test/api', 'https://eu.example.test/api/pets/1'],
  ])('is at the server %s', (url, expected) => {
    const servers = [{ url, variables: { region: { default: 'eu' } } }];
    expect(toRequest(describeOperation(listParameters(id), { servers }), { id: 1 }).url).toBe(expected);
  });

  test('takes its body whole, or by its fields', () => {
    const content = { 'application/vnd.pet+json': {} };
    const document = describeOperation({ ...listParameters(id), requestBody: { required: true, content } });
    const sent = { headers: { 'content-type': 'application/vnd.pet+json' }, body: '{"name":"Rex"}' };
    expect(toRequest(document, { id: 1, body: { name: 'Rex' } })).toMatchObject(sent);
    expect(toRequest(document, { id: 1, name: 'Rex' })).toMatchObject(sent);
    expect(() => toRequest(document, { id: 1 })).toThrow('needs a body');
  });

  test('sends a form', () => {
    const requestBody = { content: { 'application/x-www-form-urlencoded': {} } };
    expect(toRequest(describeOperation({ requestBody }, {}, '/pets'), { a: 'x y', b: [1, 2] })).toMatchObject(
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=x+y&b=1&b=2',
      },
    );
  });

  test('sends a text as it is', () => {
    const requestBody = { content: { 'application/xml': {} } };
    expect(toRequest(describeOperation({ requestBody }, {}, '/pets'), { body: '<a/>' })).toMatchObject({
      headers: { 'content-type': 'application/xml' },
      body: '<a/>',
    });
    expect(() => toRequest(describeOperation({ requestBody }, {}, '/pets'), { body: { a: 1 } })).toThrow(
      'cannot be made',
    );
  });

  test('takes a part of its path that no parameter declares as a parameter', () => {
    expect(toRequest(describeOperation({}), { id: 7 }).url).toBe('https://docs.example.test/pets/7');
    expect(() => toRequest(describeOperation({}))).toThrow('needs the parameter "id"');
  });

  test('writes parameters with content as JSON', () => {
    const parameter = { name: 'filter', in: 'query', content: { 'application/json': {} } };
    const document = describeOperation({ parameters: [parameter] }, {}, '/pets');
    expect(toRequest(document, { filter: { a: [1] } }).url).toBe(
      'https://docs.example.test/pets?filter=%7B%22a%22%3A%5B1%5D%7D',
    );
  });

  test.each([
    ['a parameter that is missing', {}, 'needs the parameter "id"'],
    ['one that it does not have', { id: 1, other: 2 }, 'no parameter "other"'],
    ['one that leads to another path', { id: '..' }, 'the parameter "id" must be text'],
  ])('refuses %s', (_, given, message) => {
    expect(() => toRequest(describeOperation(listParameters(id)), given)).toThrow(message);
  });
});

test('an operation of Swagger 2 has its server, its form and its lists', () => {
  const parameters = [
    { name: 'kinds', in: 'formData', type: 'array' },
    { name: 'tags', in: 'query', type: 'array' },
    { name: 'all', in: 'query', type: 'array', collectionFormat: 'multi' },
    { name: 'name', in: 'formData', type: 'string' },
  ];
  const paths = { '/pets': { post: { operationId: 'one', parameters } } };
  const document = {
    swagger: '2.0',
    host: 'api.example.test',
    basePath: '/v2',
    schemes: ['http', 'https'],
    paths,
  };
  expect(
    toRequest(document, { kinds: ['c', 'd'], tags: ['a', 'b'], all: [1, 2], name: 'Rex' }),
  ).toMatchObject({
    url: 'https://api.example.test/v2/pets?tags=a%2Cb&all=1&all=2',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'kinds=c%2Cd&name=Rex',
  });
});

test('a document of another kind, or without the operation, is an error of configuration', () => {
  for (const document of [{}, { openapi: '4.0.0' }, describeOperation({ operationId: 'two' })]) {
    expect(() => toRequest(document)).toThrow(RoutineError);
  }
});
