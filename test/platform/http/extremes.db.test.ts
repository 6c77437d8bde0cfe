import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Api } from '../../labs/api-lab.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

interface Parameter {
  in: string;
  name: string;
  schema: {
    type?: string;
    format?: string;
    enum?: string[];
    minimum?: number;
    maximum?: number;
    maxLength?: number;
  };
}

const file = new URL('../../../docs/openapi.json', import.meta.url);
const { paths } = JSON.parse(await readFile(file, 'utf8')) as {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>;
};

/** Values at the ends of what a query parameter takes. */
function listExtremes({
  type,
  format,
  enum: values,
  minimum,
  maximum,
  maxLength,
}: Parameter['schema']): string[] {
  if (type === 'integer' || type === 'number')
    return [minimum, maximum].filter((value) => value !== undefined).map(String);
  if (format === 'date-time') return ['1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999-00:00'];
  if (format === 'uuid') return ['ffffffff-ffff-ffff-ffff-ffffffffffff'];
  if (values !== undefined) return values;
  return [
    '',
    '%',
    '\\',
    "'",
    '\u2028',
    '😀'.repeat(Math.min(maxLength ?? 2_000, 2_000) / 2),
    '9'.repeat(30),
    '-1',
  ];
}

const questions = Object.entries(paths).flatMap(([path, { get }]) =>
  (get?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) => listExtremes(schema).map((value) => ({ path, name, value }))),
);

test('no value of a query parameter at the end of its range is answered with 500', async () => {
  const failed: unknown[] = [];
  for (const { path, name, value } of questions) {
    const address = path.replaceAll(/\{\w+\}/g, '01a21f53-be04-77e2-875e-2465e7857eb6');
    const response = await fetch(`${api.url}${address}?${name}=${encodeURIComponent(value)}`, {
      headers: { authorization: `Bearer ${api.key}` },
      signal: AbortSignal.timeout(30_000),
    });
    if (response.status >= 500)
      failed.push({ path, name, value: value.slice(0, 40), status: response.status });
    await response.body?.cancel();
  }
  expect(questions.length).toBeGreaterThan(300);
  expect(failed).toEqual([]);
});

test('a version that no resource has is a conflict, however large', async () => {
  const body = { kind: 'note', attributes: { name: 'Note', content: 'Text' } };
  const created = (await api.call('POST', '/api/resources', { body })) as unknown as {
    data: { resource: { id: string } };
    error: unknown;
  };
  expect(created.error).toBeUndefined();
  const version = Number.MAX_SAFE_INTEGER;
  const { status } = await api.call('PATCH', `/api/resources/${created.data.resource.id}`, {
    body: { attributes: { name: 'Other' }, version },
  });
  expect(status).toBe(409);
});
