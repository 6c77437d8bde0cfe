import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HoldfastError } from '../../../../src/domain/errors.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { checkRoutineDocument } from '../../../../src/modules/routines/documents/check-document.ts';
import { parseRoutineDocument } from '../../../../src/modules/routines/documents/parse-document.ts';

const header = { dsl: '1.0.0', namespace: 'test', name: 'test', version: '1.0.0' };

async function refusal(more: JsonObject): Promise<unknown> {
  const document = { document: header, do: [{ one: { set: { a: 1 } } }], ...more };
  return checkRoutineDocument(document).then(
    () => null,
    (error: unknown) => (error as HoldfastError).details,
  );
}

const task = (definition: JsonObject) => ({ do: [{ one: definition }] });

const use = { secrets: ['key'] };
const place = { uri: 'https://a.test' };

function withSecrets(given: JsonObject): JsonObject {
  return { use, ...task({ call: 'http', with: { method: 'get', ...given } }) };
}

const refused: [path: string, more: JsonObject][] = [
  ['/do/0/one/call', task({ call: 'grpc', with: {} })],
  ['/do/0/one/call', task({ call: 'asyncapi', with: {} })],
  ['/do/0/one/call', task({ call: 'log:0.5.2@global' })],
  ['/do/0/one/run/container', task({ run: { container: { image: 'x' } } })],
  ['/do/0/one/run/shell', task({ run: { shell: { command: 'ls' } } })],
  ['/do/0/one/run/script', task({ run: { script: { language: 'js', code: '1' } } })],
  ['/do/0/one', task({ nothing: {} })],
  ['/do/0/one/then', task({ set: { a: 1 }, then: 'two' })],
  ['/do/0/one/wait', task({ wait: 'P1M' })],
  ['/do/0/one/raise/error', task({ raise: { error: 'unknown' } })],
  ['/do/0/one/catch/retry', task({ try: [{ a: { set: { a: 1 } } }], catch: { retry: 'unknown' } })],
  ['/do/0/one/timeout', task({ set: { a: 1 }, timeout: 'unknown' })],
  ['/do/0/one/do/0/two/call', task({ do: [{ two: { call: 'grpc', with: {} } }] })],
  ['/do/0/one/fork/branches/0/two/call', task({ fork: { branches: [{ two: { call: 'grpc', with: {} } }] } })],
  [
    '/use/authentications/a/basic/password',
    { use: { authentications: { a: { basic: { username: 'a', password: 'b' } } } } },
  ],
  ['/use/authentications/a/basic/use', { use: { authentications: { a: { basic: { use: 'b' } } } } }],
  [
    '/use/authentications/a/digest',
    { use: { secrets: ['b'], authentications: { a: { digest: { use: 'b' } } } } },
  ],
  [
    '/use/authentications/a/oauth2',
    {
      use: {
        authentications: { a: { oauth2: { authority: 'https://a.test', grant: 'client_credentials' } } },
      },
    },
  ],
  [
    '/do/0/one/with/endpoint/authentication/use',
    withSecrets({ endpoint: { ...place, authentication: { use: 'b' } } }),
  ],
  [
    '/do/0/one/with/endpoint/authentication/bearer/token',
    withSecrets({ endpoint: { ...place, authentication: { bearer: { token: 'b' } } } }),
  ],
  [
    '/do/0/one/with/headers/a',
    withSecrets({ endpoint: 'https://a.test', headers: { a: '${ $secrets.other.token }' } }),
  ],
  [
    '/do/0/one/with/headers/a',
    withSecrets({ endpoint: 'https://a.test', headers: { a: '${ "x" + $secrets.key.token }' } }),
  ],
  ['/do/0/one/with/headers', withSecrets({ endpoint: 'https://a.test', headers: '${ $secrets.key }' })],
  ['/do/0/one/with/headers', withSecrets({ endpoint: 'https://a.test', headers: '${ $secrets.key.token }' })],
  ['/do/0/one/with/query', withSecrets({ endpoint: 'https://a.test', query: 'a=1' })],
  [
    '/do/0/one/with/body/a',
    withSecrets({ endpoint: 'https://a.test', body: { a: '${ $secrets.key.token }' } }),
  ],
  [
    '/do/0/one/with/endpoint/authentication',
    withSecrets({ endpoint: { ...place, authentication: '${ .chosen }' } }),
  ],
  ['/do/0/one/with/endpoint/uri', withSecrets({ endpoint: { uri: '${ $secrets.key.token }' } })],
  ['/do/0/one/set/a', { use, ...task({ set: { a: '${ $secrets.key.token }' } }) }],
  ['/do/0/one/if', { use, ...task({ set: { a: 1 }, if: '$secrets.key.token == "a"' }) }],
  ['/do/0/one/with/a', { use, ...task({ call: 'sum', with: { a: '${ $secrets.key.token }' } }) }],
  ['/do/0/one/output/as', { use, ...task({ set: { a: 1 }, output: { as: '$secrets' } }) }],
  ['/output/as', { use, output: { as: '${ $secrets.key.token }' } }],
  ['/do/0/one/set/a', task({ set: { a: '${ $authorization.parameter }' } })],
  [
    '/do/0/one/input/schema/resource',
    task({ set: { a: 1 }, input: { schema: { resource: { endpoint: 'https://a.test/schema' } } } }),
  ],
  ['/output/schema/format', { output: { schema: { format: 'avro', document: {} } } }],
  ['/schedule', { schedule: { cron: '* * * * *' } }],
  ['/document/dsl', { document: { ...header, dsl: '0.9.0' } }],
];

describe('checkRoutineDocument', () => {
  test.each(refused)('refuses what cannot be run at %s', async (path, more) => {
    expect(await refusal(more)).toMatchObject([{ field: `document${path}` }]);
  });

  test('refuses a document that the standard does not allow, with its path', async () => {
    expect(await refusal(task({ set: 5 }))).toEqual([
      { field: 'document/do/0/one/set', message: expect.stringContaining('object') as string },
    ]);
  });

  test('takes secrets in what a call sends', async () => {
    const token = '${ $secrets.key.token }';
    const authentication = { bearer: { token } };
    const http = {
      method: 'post',
      endpoint: { ...place, authentication },
      headers: { a: token },
      query: { a: token },
    };
    const openapi = {
      document: { endpoint: 'https://a.test' },
      operationId: 'a',
      authentication: { use: 'b' },
    };
    const tasks = {
      do: [{ one: { call: 'http', with: http } }, { two: { call: 'openapi', with: openapi } }],
    };
    expect(
      await refusal({ use: { ...use, authentications: { b: { oauth2: { use: 'key' } } } }, ...tasks }),
    ).toBeNull();
  });

  test('takes a document of the standard', async () => {
    expect(await refusal({})).toBeNull();
  });
});

describe('parseRoutineDocument', () => {
  test('reads YAML and JSON alike', () => {
    const document = { document: header, do: [{ one: { set: { a: 1 } } }] };
    expect(parseRoutineDocument(JSON.stringify(document))).toEqual(document);
    expect(parseRoutineDocument('do:\n  - one: { set: { a: 1 } }')).toEqual({ do: document.do });
  });

  test.each([
    ['text that is no YAML', 'a: [1'],
    ['a list', '[1]'],
    ['aliases that grow', `a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]`],
    ['deep nesting', `${'['.repeat(200)}${']'.repeat(200)}`],
  ])('refuses %s', (_, text) => {
    expect(() => parseRoutineDocument(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }) as Error,
    );
  });
});

test('tasks inside of many tasks are checked, each list once', async () => {
  const nest = (inner: JsonObject) => {
    let list: JsonObject[] = [{ inner }];
    for (let depth = 0; depth < 30; depth += 1) list = [{ loop: { for: { in: '.a' }, do: list } }];
    return { do: list, use: { functions: { all: { for: { in: '.a' }, do: list } } } };
  };
  expect(await refusal(nest({ set: { a: 1 } }))).toBeNull();
  const message = expect.stringContaining('object') as string;
  expect(await refusal(nest({ set: 5 }))).toEqual([
    { field: `document/do${'/0/loop/do'.repeat(30)}/0/inner/set`, message },
    { field: `document/use/functions/all/do${'/0/loop/do'.repeat(30)}/0/inner/set`, message },
  ]);
});

test('finds the SDK in Node itself, which reads another build of it than tests do', () => {
  const file = path.join(import.meta.dirname, '../../../../src/modules/routines/documents/load-sdk.ts');
  const code = `const { loadSdk } = await import(${JSON.stringify(file)}); console.log(Object.keys(await loadSdk()).join())`;
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(answer).toContain('validate');
});
