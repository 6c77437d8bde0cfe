import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { compileOne, describeOne, expectProblems, withBody } from './one-operation.ts';

describe('addresses', () => {
  const servers = (...list: JsonObject[]) => compileOne({ ...describeOne({}), servers: list }).definition;

  test('have the variables of the first https server', () => {
    const variables = {
      region: { default: 'eu', enum: ['eu', 'us'] },
      'base-path': { default: 'v2', description: 'The version' },
    };
    const list = [{ url: 'http://a.example' }, { url: 'https://{region}.a.example/{base-path}/', variables }];
    expect(servers(...list)).toMatchObject({
      baseUrl: 'https://{region}.a.example/{base_path}',
      variables: {
        region: { oneOf: ['eu', 'us'], default: 'eu', example: 'eu' },
        base_path: { default: 'v2', description: 'The version' },
      },
    });
  });

  test('let a connection name a whole host, without a default', () => {
    const variables = { host: { default: 'acme.example' }, scheme: { default: 'https' } };
    expect(servers({ url: '{scheme}://{host}/api', variables })).toMatchObject({
      baseUrl: 'https://{host}/api',
      variables: { host: { severalLabels: true, example: 'acme.example' } },
    });
    expect(servers({ url: '{scheme}://{host}/api', variables }).variables?.host).not.toHaveProperty(
      'default',
    );
  });

  test('are that of the import, or relative to that of the document', () => {
    const document = { ...describeOne({}), servers: [{ url: '/v1' }] };
    expect(compileOne(document, { baseUrl: 'https://b.example/x/' }).definition.baseUrl).toBe(
      'https://b.example/x',
    );
    const documentUrl = 'https://c.example/docs/openapi.json';
    expect(compileOne(document, { documentUrl }).definition.baseUrl).toBe('https://c.example/v1');
  });

  test('of an operation are its own', () => {
    const { operation } = compileOne(describeOne({ servers: [{ url: 'https://upload.things.example' }] }));
    expect(operation.baseUrl).toBe('https://upload.things.example');
  });
});

describe('auth', () => {
  const withSchemes = (securitySchemes: JsonObject, ...security: JsonObject[]) =>
    compileOne(describeOne({ security }, { components: { securitySchemes } }));
  const inHeader = (name: string) => ({ type: 'apiKey', in: 'header', name });

  test('is a token, a password, a key in a header or in the query', () => {
    const schemes = { a: { type: 'http', scheme: 'Basic' }, b: inHeader('X-Key') };
    expect(withSchemes(schemes, { a: [] }, { b: [] }).definition.auth).toEqual({
      types: ['basic', 'api_key'],
      apiKey: { header: 'X-Key' },
    });
    const inQuery = { 'my-key': { type: 'apiKey', in: 'query', name: 'key' } };
    expect(withSchemes(inQuery, { 'my-key': [] }).definition.auth).toEqual({
      types: ['keys'],
      keys: { my_key: { title: 'my-key', query: 'key' } },
    });
    expect(
      withSchemes({ a: inHeader('A'), b: inHeader('B') }, { a: [], b: [] }).definition.auth,
    ).toMatchObject({
      types: ['keys'],
      keys: { a: { header: 'A' }, b: { header: 'B' } },
    });
  });

  test('is OAuth with the scopes of each operation', () => {
    const flow = { authorizationUrl: '/authorize', tokenUrl: 'https://id.example/token', scopes: {} };
    const oauth = {
      type: 'oauth2',
      flows: { authorizationCode: flow, clientCredentials: flow, implicit: {} },
    };
    const all = withSchemes({ oauth }, { oauth: ['read', 'write'] });
    expect(all.definition.auth).toMatchObject({
      types: ['oauth2_authorization_code', 'oauth2_client_credentials'],
      oauth: { authorizationUrl: 'https://things.example/authorize', tokenUrl: 'https://id.example/token' },
    });
    expect(all.operation.scopes).toEqual(['read', 'write']);
    expect(all.messages).toContain('the flow "implicit" is not supported; a connection cannot have it');
    const any = withSchemes({ oauth }, { oauth: ['read'] }, { oauth: ['admin'] });
    expect(any.operation.scopes).toEqual([['read', 'admin']]);
    expect(withSchemes({ oauth }, { oauth: ['read'] }, {}).operation.scopes).toBeUndefined();
  });

  test('that a connection cannot have is told', () => {
    const schemes = {
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      tls: { type: 'mutualTLS' },
      id: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
    };
    const { definition, messages } = withSchemes(schemes, { cookie: [] }, { tls: [] }, { id: [] });
    expect(definition.auth).toMatchObject({
      types: ['oauth2_authorization_code'],
      hint: 'Give https://id.example as the issuer of the authorization.',
    });
    expect(messages).toEqual([
      'a key in a cookie is not supported; a connection cannot have it',
      '"mutualTLS" is not supported; a connection cannot have it',
      'openIdConnect: a connection has to name the issuer https://id.example in its auth',
      expect.stringContaining('which no parameter declares'),
      expect.stringContaining('no operation without input'),
    ]);
  });

  test('is open when the document does not name any', () => {
    expect(compileOne(describeOne({})).definition.auth.types).toEqual(['none', 'bearer', 'api_key', 'basic']);
  });
});

describe('parameters', () => {
  const withParameters = (...parameters: JsonObject[]) =>
    compileOne(describeOne({ parameters: parameters.map((one) => ({ schema: {}, ...one })) }));

  test('have names that do not collide, and styles where they matter', () => {
    const { operation } = withParameters(
      { name: 'id', in: 'path', schema: { type: 'string' } },
      { name: 'id', in: 'query', schema: { type: 'string' } },
      { name: '$filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
      { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: {} } },
      { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    );
    expect(operation).toMatchObject({
      query: ['id_2', 'filter', 'ids', 'where'],
      rename: { id_2: 'id', filter: '$filter' },
      styles: {
        filter: { style: 'deepObject', explode: true },
        ids: { explode: false },
        where: { style: 'json' },
      },
      schema: { required: ['id'] },
    });
  });

  test('that cannot be sent are left out, and their operation when it needs them', () => {
    const optional = withParameters({ name: 'sid', in: 'cookie' }, { name: 'Host', in: 'header' });
    expect(Object.keys(optional.operation.schema.properties ?? {})).toEqual(['id']);
    expect(optional.messages.slice(1, 4)).toEqual([
      expect.stringContaining('"Host" cannot be set'),
      expect.stringContaining('cookies are not sent'),
      expect.stringContaining('which no parameter declares'),
    ]);
    const needed = describeOne({ parameters: [{ name: 'sid', in: 'cookie', required: true, schema: {} }] });
    expect(expectProblems(needed, {})).toEqual(['operations']);
  });

  test('of a path and those that an operation replaces are merged', () => {
    const document = describeOne({ parameters: [{ $ref: '#/components/parameters/id' }] });
    const item = (document.paths as { '/things/{id}': JsonObject })['/things/{id}'];
    item.parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, description: 'The id' };
    const { operation } = compileOne({ ...document, components: { parameters: { id } } });
    expect(operation.schema.properties).toEqual({ id: { type: 'integer', description: 'The id' } });
  });
});

describe('bodies', () => {
  test('are fields of their own, or one argument when they are no closed object', () => {
    const fields = compileOne(withBody({ type: 'object', properties: { a: { type: 'string' } } }));
    expect(fields.operation.schema.properties).toEqual({ a: { type: 'string' } });
    const list = compileOne(withBody({ type: 'array', items: { type: 'string' } }));
    expect(list.operation).toMatchObject({ bodyField: 'body', schema: { required: ['body'] } });
    const open = compileOne(withBody({ type: 'object', properties: { a: {} }, additionalProperties: true }));
    expect(open.operation.bodyField).toBe('body');
    const either = compileOne(withBody({ oneOf: [{ type: 'string' }, { type: 'integer' }] }));
    expect(either.operation.schema.properties).toMatchObject({
      body: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    });
  });

  test.each<[string, object]>([
    ['application/x-www-form-urlencoded', { bodyFormat: 'repeated_form' }],
    ['application/merge-patch+json', { mediaType: 'application/merge-patch+json' }],
    ['text/csv', { bodyFormat: 'raw', mediaType: 'text/csv' }],
    ['image/png', { bodyFormat: 'raw', mediaType: 'image/png', files: ['file'] }],
    ['*/*', { needsBody: true }],
  ])('of type %s are sent as such', (type, expected) => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: {} } } };
    expect(compileOne(withBody(schema, {}, type)).operation).toMatchObject(expected);
  });

  test('of types that are not known leave their operation out', () => {
    expect(expectProblems(withBody({}, {}, 'application/xml'), {})).toEqual(['operations']);
  });

  test('have the fields of all parts of allOf', () => {
    const base = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const schema = {
      allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { b: { type: 'integer' } } }],
    };
    const { operation } = compileOne(withBody(schema, { components: { schemas: { Base: base } } }));
    expect(operation.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a'],
      additionalProperties: false,
    });
  });
});
