import { describe, expect, test } from 'vitest';
import {
  buildRequest,
  toFetchRequest,
  type RequestInput,
} from '../../../src/engines/providers/build-request.ts';
import type { Operation } from '../../../src/engines/providers/define-operation.ts';
import {
  createJsonSchemaInput,
  type OperationInput,
} from '../../../src/engines/providers/operation-input.ts';
import { checkInput, toOperationTools } from '../../../src/engines/providers/operation-tools.ts';
import { checkToolArguments } from '../../../src/engines/tools/json-schema/tool-arguments.ts';
import { shop } from '../../fixtures/shop.ts';

const anyInput = createJsonSchemaInput({ type: 'object' }, () => Promise.resolve([]));

function build(parts: Partial<Operation> & Pick<Operation, 'request'>, input: RequestInput) {
  const operation = { description: '', input: anyInput, effect: 'unsafe', ...parts } as Operation;
  const { url, init } = toFetchRequest({}, 'https://api.example.test', {
    ...buildRequest(operation, input),
    operation,
  });
  return { ...init, url: url.slice('https://api.example.test'.length) };
}

describe('the forms of requests that imported documents have', () => {
  test('values of the query are written in the style of their field', () => {
    const styles = {
      ids: { explode: false },
      tags: { style: 'pipeDelimited' },
      where: { style: 'deepObject' },
      more: {},
    };
    const input = { ids: [1, 2], tags: ['a', 'b'], where: { a: { b: 1 }, c: [2] }, more: ['x', 'y'] };
    const query = Object.keys(styles);
    const { url } = build({ request: 'GET /things', query, styles, rename: { ids: 'ids[]' } }, input);
    expect(decodeURIComponent(url)).toBe(
      '/things?ids[]=1,2&tags=a|b&where[a][b]=1&where[c][]=2&more=x&more=y',
    );
  });

  test('a HEAD request has its input in path and query', () => {
    expect(build({ request: 'HEAD /things/{id}' }, { id: [1, 2], q: true })).toMatchObject({
      url: '/things/1%2C2?q=true',
      method: 'HEAD',
    });
  });

  test('one field is the whole body, with the media type of the operation', () => {
    const parts = { request: 'PATCH /things', query: [], bodyField: 'body' } as const;
    const patch = { body: [{ op: 'remove', path: '/a' }] };
    expect(build({ ...parts, mediaType: 'application/json-patch+json' }, patch)).toMatchObject({
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: '[{"op":"remove","path":"/a"}]',
    });
    expect(build({ ...parts, bodyFormat: 'raw', mediaType: 'text/csv' }, { body: 'a,b' })).toMatchObject({
      headers: { 'Content-Type': 'text/csv' },
      body: 'a,b',
    });
    expect(build(parts, {})).not.toHaveProperty('body');
    expect(build({ request: 'POST /things', query: [], needsBody: true }, {})).toMatchObject({ body: '{}' });
  });
});

describe('an input that is a JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
    additionalProperties: false,
  };
  const input: OperationInput = createJsonSchemaInput(schema, (checked, value) =>
    Promise.resolve(checkToolArguments(checked, value)),
  );
  const operation: Operation = {
    description: 'Get one.',
    input,
    request: 'GET /things/{id}',
    effect: 'read_only',
  };

  test('is shown as it is', () => {
    const [tool] = toOperationTools({ ...shop, operations: { getThing: operation } });
    expect(tool).toMatchObject({ name: 'shop_getThing', inputSchema: schema });
  });

  test('checks arguments', async () => {
    await expect(checkInput(operation, { id: 1 })).resolves.toEqual({ ok: true, input: { id: 1 } });
    await expect(checkInput(operation, { id: 'x', more: 1 })).resolves.toMatchObject({
      ok: false,
      fields: [{ field: 'more', message: 'is not known' }],
    });
  });
});
