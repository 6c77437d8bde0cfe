import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../src/domain/json.ts';
import { providerCategories } from '../../src/domain/provider-category.ts';
import { toolInputSchema } from '../../src/tools/tool-schema.ts';
import { parseTemplate } from '../../src/providers/build-request.ts';
import type { Operation, RequestTemplate } from '../../src/providers/define-provider.ts';
import { loadProviders } from '../../src/providers/registry.ts';
import { listPlaceholders } from '../../src/providers/request-path.ts';
import { checkToolSchema } from '../../src/tools/json-schema/tool-arguments.ts';
import { hintedApproval } from '../../src/tools/tool-definition.ts';
import { readRequestCases } from './requests/all-requests.ts';

const registry = await loadProviders();
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

describe.each(registry.listProviders())('$name', (provider) => {
  const { auth, operations } = provider;
  const tools = registry.listTools(provider.name);
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
    const url = new URL(provider.baseUrl);
    expect([url.protocol, url.search, url.hash, provider.baseUrl.endsWith('/')]).toEqual([
      'https:',
      '',
      '',
      false,
    ]);
  });

  test('defines all fields of its kinds of auth', () => {
    expect(new Set(auth.types).size).toBe(auth.types.length);
    expect(auth.types).not.toContain('none');
    if (auth.types.includes('api_key')) expect(auth.apiKey?.header).toMatch(/^[A-Za-z0-9-]+$/);
    if (!auth.types.includes('oauth2_authorization_code')) return;
    expect(new URL(auth.oauth?.authorizationUrl ?? '').protocol).toBe('https:');
    expect(new URL(auth.oauth?.tokenUrl ?? '').protocol).toBe('https:');
    expect(auth.oauth?.scopes.length).toBeGreaterThan(0);
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
      expect(provider.readError({ status: 200, body }) ?? null).toBeNull();
      expect(typeof (provider.readError({ status: 404, body }) ?? '')).toBe('string');
    }
  });

  test('gives each operation a valid tool definition', () => {
    expect(tools.map(({ executeRef }) => executeRef)).toEqual(Object.keys(operations));
    for (const { name, description, inputSchema, executeRef } of tools) {
      expect(name).toBe(`${provider.name}_${executeRef}`);
      expect(executeRef).toMatch(/^[a-z][A-Za-z0-9]{1,40}$/);
      expect(description).toMatch(/^[A-Z].{5,150}\.$/);
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
        const field = input.shape[placeholder] as z.ZodType | undefined;
        expect(field, `${name}: ${placeholder}`).toBeInstanceOf(z.ZodType);
        expect(field?.safeParse('').success, `${name}: ${placeholder}`).toBe(false);
        const withoutIt = field?.safeParse(undefined);
        expect(withoutIt?.success === false || withoutIt?.data !== undefined, `${name}: ${placeholder}`).toBe(
          true,
        );
      }
    }
  });

  test('names only input fields in its queries', () => {
    for (const [name, { query = [], input }] of Object.entries(operations))
      expect(Object.keys(input.shape), name).toEqual(expect.arrayContaining([...query]));
  });

  test('has matching effects: reads are read_only, and keyed operations have a header for the key', () => {
    for (const [name, { request, effect, idempotencyHeader }] of Object.entries(operations)) {
      if (typeof request === 'string' && parseTemplate(request).method === 'GET')
        expect(effect, name).toBe('read_only');
      if (typeof request === 'string' && parseTemplate(request).method === 'DELETE')
        expect(effect, name).not.toBe('read_only');
      expect(effect === 'keyed', name).toBe(idempotencyHeader !== undefined);
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
      expect(
        input.safeParse({ query: 'tea' }).success && input.safeParse({ query: 'tea', count: 5 }).success,
      ).toBe(true);
      expect(toResults?.({})).toEqual([]);
      expect(toResults?.('no JSON')).toEqual([]);
    }
  });
});

test('the operations that ask before they delete something are these', () => {
  const tools = registry.listProviders().flatMap(({ name }) => registry.listTools(name));
  const destructive = tools.filter(({ annotations }) => annotations.destructiveHint);
  expect(destructive.map(({ name }) => name).sort()).toEqual([
    'github_deleteFile',
    'google-calendar_deleteEvent',
    'google-calendar_updateEvent',
    'notion_deleteBlock',
    'notion_updatePage',
    'slack_deleteMessage',
  ]);
});
