import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../src/domain/json.ts';
import {
  findVariableProblems,
  isInHost,
  listUrlVariables,
  type UrlVariable,
} from '../../src/domain/url-variables.ts';
import { findVariableUrl } from '../../src/domain/provider-address.ts';
import { providerCategories } from '../../src/domain/provider-category.ts';
import { toolInputSchema } from '../../src/engines/tools/tool-schema.ts';
import { parseTemplate } from '../../src/engines/providers/build-request.ts';
import type { Operation, RequestTemplate } from '../../src/engines/providers/define-operation.ts';
import type { Provider } from '../../src/engines/providers/define-provider.ts';
import { toOperationTools } from '../../src/engines/providers/operation-tools.ts';
import { openProviders } from '../../src/engines/providers/registry.ts';
import { isError, readMessage } from '../../src/engines/providers/read-error.ts';
import { listPlaceholders } from '../../src/engines/providers/request-path.ts';
import { checkToolSchema } from '../../src/engines/tools/json-schema/tool-arguments.ts';
import { hintedApproval } from '../../src/engines/tools/tool-definition.ts';
import { readRequestCases } from './requests/all-requests.ts';
import { shapeOf } from './shape-of.ts';

const catalogue = await (await openProviders()).listProviders();
const requests = await readRequestCases();
const deletingWords = /^(delete|remove|archive|cancel|trash)|\b(delete|remove|archive|cancel|trash)\b/i;
const templatePattern = /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/;

/** Every object of a schema that names its fields, unless it takes all. */
function findOpenObjects(schema: JsonValue, path = ''): string[] {
  if (Array.isArray(schema))
    return schema.flatMap((part, index) => findOpenObjects(part, `${path}/${index}`));
  if (!isJsonObject(schema)) return [];
  const named = isJsonObject(schema.properties) ? Object.keys(schema.properties).length : 0;
  const own = schema.type === 'object' && named > 0 && schema.additionalProperties !== false ? [path] : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([key, part]) => findOpenObjects(part, `${path}/${key}`)),
  ];
}

function hasTemplate(operation: Operation): operation is Operation & { request: RequestTemplate } {
  return typeof operation.request === 'string';
}

/** The base URLs of a provider and its operations, a word in place of each variable. */
function listAddresses({ baseUrl, auth, operations }: Provider): string[] {
  const own = Object.values(operations).map((operation) => operation.baseUrl ?? baseUrl);
  return [...new Set([baseUrl, auth.oauth?.baseUrl ?? baseUrl, ...own])].map((url) =>
    url.replaceAll(/[{}]/g, ''),
  );
}

describe.each(catalogue)('$name', (provider) => {
  const { auth, operations } = provider;
  const tools = toOperationTools(provider);
  const templates = Object.entries(operations).filter(([, operation]) => hasTemplate(operation)) as [
    string,
    Operation & { request: RequestTemplate },
  ][];

  test('has a name, a title, a short description and a category', () => {
    expect(provider.name).toMatch(/^[a-z0-9][a-z0-9-]{0,99}$/);
    expect(provider.title).not.toBe('');
    expect(provider.description).toMatch(/^[A-Z].{10,150}\.$/);
    expect(providerCategories).toContain(provider.category);
    expect(Object.keys(operations).length).toBeGreaterThan(0);
  });

  test('has an https address without a trailing slash', () => {
    for (const address of listAddresses(provider)) {
      const url = new URL(address);
      expect([url.protocol, url.search, url.hash, address.endsWith('/')]).toEqual(['https:', '', '', false]);
    }
  });

  test('declares every variable of its addresses, and uses every one', () => {
    const { baseUrl, variables = {} } = provider;
    const { authorizationUrl = '', tokenUrl = '' } = auth.oauth ?? {};
    const addresses = auth.types.map((type) => findVariableUrl(provider, type));
    const inPath = Object.entries(auth.keys ?? {}).filter(([, place]) => 'path' in place);
    const keys = inPath.map(([name]) => name);
    const named = [...addresses, authorizationUrl, tokenUrl].flatMap(listUrlVariables);
    expect([...new Set(named)].sort()).toEqual([...Object.keys(variables), ...keys].sort());
    for (const key of keys) expect(isInHost(baseUrl, key), key).toBe(false);
    for (const [name, { example, description, default: value = example }] of Object.entries(variables)) {
      expect(description).toMatch(/^[A-Z].{10,200}$/);
      for (const one of [example, value])
        expect([
          ...findVariableProblems({
            url: addresses.find((url) => listUrlVariables(url).includes(name)) ?? authorizationUrl,
            variables: { [name]: variables[name] as UrlVariable },
            values: { [name]: one },
          }),
        ]).toEqual([]);
    }
  });

  test('lets no variable choose the host that credentials go to', () => {
    const { authorizationUrl = '', tokenUrl = '', refreshUrl = '', baseUrl = '' } = auth.oauth ?? {};
    const ofOAuth = [authorizationUrl, tokenUrl, refreshUrl, baseUrl];
    for (const address of [provider.baseUrl, ...ofOAuth]) {
      const host = /^https:\/\/([^/?#]*)/.exec(address)?.[1] ?? '';
      const free = listUrlVariables(host).filter((name) => provider.variables?.[name]?.oneOf === undefined);
      if (free.length > 0) expect(host).toMatch(/\}(\.[a-z0-9-]+){2,}$/);
    }
  });

  test('defines all fields of its kinds of auth', () => {
    expect(new Set(auth.types).size).toBe(auth.types.length);
    expect(auth.types).not.toContain('none');
    if (auth.types.includes('api_key')) expect(auth.apiKey?.header).toMatch(/^[A-Za-z0-9-]+$/);
    if (!auth.types.includes('oauth2_authorization_code')) return;
    expect(new URL(auth.oauth?.authorizationUrl ?? '').protocol).toBe('https:');
    expect(new URL(auth.oauth?.tokenUrl ?? '').protocol).toBe('https:');
  });

  test('declares the places of its keys', () => {
    expect(auth.types.includes('keys')).toBe(auth.keys !== undefined);
    for (const [name, place] of Object.entries(auth.keys ?? {})) {
      expect(name).toMatch(/^\w{1,50}$/);
      expect(place.title).not.toBe('');
      if ('header' in place) expect(place.header).toMatch(/^[A-Za-z0-9-]+$/);
    }
  });

  test('declares the scopes of every operation when people authorize it', () => {
    if (!auth.types.includes('oauth2_authorization_code')) return;
    for (const [name, { scopes }] of Object.entries(operations)) expect(scopes, name).toBeInstanceOf(Array);
  });

  test('carries no credentials in its headers', () => {
    const names = Object.keys(provider.headers ?? {}).map((name) => name.toLowerCase());
    expect(names).not.toContain('authorization');
    expect(names).not.toContain(auth.apiKey?.header.toLowerCase());
  });

  test('is verified by a request without input', () => {
    expect(provider.verify.request).toMatch(templatePattern);
    expect(listPlaceholders(provider.verify.request)).toEqual([]);
  });

  test('reads an error from any answer without throwing', () => {
    const bodies: JsonValue[] = [
      null,
      '',
      'Bad Gateway',
      7,
      [],
      {},
      { error: null },
      { errors: [null, 'x', {}] },
    ];
    for (const body of bodies) {
      expect(isError(provider, { status: 200, body })).toBe(false);
      expect(isError(provider, { status: 404, body })).toBe(true);
      expect(typeof (readMessage(provider, { body }) ?? '')).toBe('string');
    }
    expect(provider.errors.message.length).toBeGreaterThan(0);
  });

  test('gives each operation a valid tool definition', () => {
    expect(tools.map(({ executeRef }) => executeRef)).toEqual(Object.keys(operations));
    for (const { name, description, inputSchema, executeRef } of tools) {
      expect(name).toBe(`${provider.name}_${executeRef}`);
      expect(executeRef).toMatch(/^[a-z][A-Za-z0-9]{1,40}$/);
      expect(description, `${name}: when to use it, what it returns, what it does not do`).toMatch(
        /^[A-Z].{48,398}\.$/,
      );
      const tool = { type: 'mcp', name, description, schema: inputSchema, config: {} };
      expect(toolInputSchema.safeParse(tool).success).toBe(true);
    }
  });

  test('has valid, closed input schemas of draft 2020-12', () => {
    for (const { inputSchema, name } of tools) {
      expect(inputSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(checkToolSchema(inputSchema), name).toBeNull();
      expect(inputSchema.additionalProperties, name).toBe(false);
      expect(findOpenObjects(inputSchema), name).toEqual([]);
    }
  });

  test('fills every path parameter from a required input', () => {
    for (const [name, { request, input }] of templates) {
      expect(request, name).toMatch(templatePattern);
      for (const placeholder of listPlaceholders(request)) {
        const field = shapeOf(input)[placeholder];
        expect(field, `${name}: ${placeholder}`).toBeInstanceOf(z.ZodType);
        expect(field?.safeParse('').success, `${name}: ${placeholder}`).toBe(false);
        const withoutIt = field?.safeParse(undefined);
        expect(withoutIt?.success === false || withoutIt?.data !== undefined, `${name}: ${placeholder}`).toBe(
          true,
        );
      }
    }
  });

  test('fills headers from its input, and never one that has credentials', () => {
    for (const [name, { headers = {}, input }] of Object.entries(operations)) {
      const filled = Object.values(headers).flatMap(listPlaceholders);
      expect(Object.keys(shapeOf(input)), name).toEqual(expect.arrayContaining(filled));
      const names = Object.keys(headers).map((header) => header.toLowerCase());
      expect(names, name).not.toContain('authorization');
      expect(names, name).not.toContain(auth.apiKey?.header.toLowerCase());
    }
  });

  test('names only fields of the input or fixed ones, in a way that every model can write', () => {
    for (const [name, { query = [], rename = {}, files = [], fixed = {}, input }] of Object.entries(
      operations,
    )) {
      const fields = Object.keys(shapeOf(input));
      for (const field of fields) expect(field, name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
      const named = [...query, ...Object.keys(rename), ...files];
      expect([...fields, ...Object.keys(fixed)], name).toEqual(expect.arrayContaining(named));
      expect(
        fields.filter((field) => field in fixed),
        name,
      ).toEqual([]);
    }
  });

  test('has valid paging, which reads only', () => {
    for (const [name, { paging, effect, input }] of Object.entries(operations)) {
      if (!paging) continue;
      expect(effect, name).toBe('read_only');
      expect(Object.keys(shapeOf(input)), name).not.toEqual(expect.arrayContaining(['max_items']));
      expect(Object.keys(shapeOf(input)), name).not.toEqual(expect.arrayContaining(['continue_from']));
      const own = [paging.size?.field, 'field' in paging ? paging.field : undefined];
      expect(
        Object.keys(shapeOf(input)).filter((field) => own.includes(field)),
        `${name}: the seam adds it`,
      ).toEqual([]);
      expect(paging.size?.max ?? 1, name).toBeGreaterThan(0);
      const then = 'then' in paging ? paging.then : undefined;
      for (const placeholder of listPlaceholders(then ?? ''))
        expect('field' in paging && paging.field, name).toBe(placeholder);
    }
  });

  test('polls with a status request that it can fill, and names the operation that asks later', () => {
    for (const [name, { poll, input }] of Object.entries(operations)) {
      if (!poll) continue;
      const known = [...Object.keys(poll.from ?? {}), ...Object.keys(shapeOf(input))];
      expect(known, name).toEqual(expect.arrayContaining(listPlaceholders(poll.request)));
      expect(Object.keys(operations), name).toContain(poll.later);
      expect(operations[poll.later]?.effect, name).toBe('read_only');
      expect(poll.done.length, name).toBeGreaterThan(0);
    }
  });

  test('sends files in a format that carries them', () => {
    for (const [name, { files = [], bodyFormat = provider.bodyFormat }] of Object.entries(operations)) {
      if (files.length > 0)
        expect(['json', 'multipart', 'related', 'raw', undefined], name).toContain(bodyFormat);
      if (bodyFormat === 'raw' || bodyFormat === 'related') expect(files, name).toHaveLength(1);
    }
  });

  test('declares the variables of its GraphQL documents, and only queries read', () => {
    for (const [name, { graphql, input, fixed = {}, paging, effect, request }] of Object.entries(
      operations,
    )) {
      if (graphql === undefined) continue;
      const [, kind = '', head = ''] = /^\s*(query|mutation)\b([^{]*)/.exec(graphql) ?? [];
      expect(kind === 'query', name).toBe(effect === 'read_only');
      expect(request, name).toMatch(/^POST /);
      const declared = Array.from(head.matchAll(/\$(\w+)\s*:/g), ([, variable = '']) => variable);
      const own = paging ? [paging.size?.field, 'field' in paging ? paging.field : undefined] : [];
      const given = [...Object.keys(shapeOf(input)), ...Object.keys(fixed), ...own].filter(
        (one) => one !== undefined,
      );
      expect(declared.sort(), name).toEqual(given.sort());
    }
  });

  test('says since when nothing has checked it, or has a document of the vendor', () => {
    expect(provider.unverified ?? '2026-01-01').toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
  });

  test('has matching effects: reads are read_only, and keyed operations have a place for the key', () => {
    for (const [name, { request, effect, idempotencyHeader, idempotencyField }] of Object.entries(
      operations,
    )) {
      if (typeof request === 'string' && parseTemplate(request).method === 'GET')
        expect(effect, name).toBe('read_only');
      if (typeof request === 'string' && parseTemplate(request).method === 'DELETE')
        expect(effect, name).not.toBe('read_only');
      expect(effect === 'keyed', name).toBe((idempotencyHeader ?? idempotencyField) !== undefined);
    }
  });

  test('marks the operations that can delete something as destructive, and no others', () => {
    for (const { name, description, executeRef, annotations } of tools) {
      const method = requests.get(provider.name)?.cases[executeRef]?.method;
      const deletes =
        method === 'DELETE' || deletingWords.test(description) || deletingWords.test(executeRef);
      expect(annotations.destructiveHint, name).toBe(deletes && !annotations.readOnlyHint);
      expect(hintedApproval({ annotations }), name).toBe(annotations.destructiveHint ? 'ask' : undefined);
    }
  });

  test('returns search results when it offers a web search', () => {
    for (const { role, toResults, input } of Object.values(operations)) {
      expect(toResults === undefined).toBe(role === undefined);
      if (role !== 'web_search') continue;
      for (const search of [{ query: 'tea' }, { query: 'tea', count: 5 }])
        expect(input['~standard'].validate(search)).not.toHaveProperty('issues');
      expect(toResults?.({})).toEqual([]);
      expect(toResults?.('no JSON')).toEqual([]);
    }
  });
});

test('the operations that ask before they delete something are those whose cases say so', () => {
  const tools = catalogue.flatMap(toOperationTools);
  const destructive = tools.filter(({ annotations }) => annotations.destructiveHint);
  const cases = [...requests].flatMap(([provider, { cases: of }]) =>
    Object.entries(of).map(([operation, { destructive: asks }]) => ({
      name: `${provider}_${operation}`,
      asks,
    })),
  );
  const expected = cases.filter(({ asks }) => asks === true).map(({ name }) => name);
  expect(destructive.map(({ name }) => name).sort()).toEqual(expected.sort());
});
