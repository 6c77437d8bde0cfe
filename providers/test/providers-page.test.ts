import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, onTestFinished, test } from 'vitest';
import { replaceTable } from '../../scripts/describe-catalogue/describe-catalogue.ts';
import { measureOperations, toMedian } from '../../scripts/describe-catalogue/measure-operations.ts';
import { createExecutionRouter } from '../../src/engines/providers/execution-router.ts';
import { openProviders } from '../../src/engines/providers/registry.ts';
import { noLimits, openTestConnection } from '../../test/labs/open-connection.ts';
import { createTemporaryFolder } from '../../test/labs/temporary-folder.ts';
import { startVendorServer } from '../../test/servers/vendor-server.ts';
import { caseFile, caseFileId, type ProviderRequests } from './requests/request-case.ts';

const root = path.join(import.meta.dirname, '../..');
const page = await readFile(path.join(root, 'docs/providers.md'), 'utf8');
const [record = '', cases = ''] = Array.from(
  page.matchAll(/```ts\n(export|import)([^]*?)```/g),
  ([, word = '', rest = '']) => `${word}${rest}`,
);

/** Writes a block of the page as a file that finds its imports. */
async function write(name: string, text: string): Promise<string> {
  const file = path.join(createTemporaryFolder(), `${name}.ts`);
  const provider = pathToFileURL(path.join(root, 'src/engines/providers/define-provider.ts')).href;
  await writeFile(
    file,
    text
      .replace("'../../src/engines/providers/define-provider.ts'", `'${provider}'`)
      .replace("'zod'", `'${import.meta.resolve('zod')}'`),
  );
  return file;
}

test('the record on the page makes the requests of its cases', async () => {
  const registry = await openProviders(path.dirname(await write('helpdesk', record)), '.ts');
  const file = await write('cases', `const caseFileId = '${caseFileId}';\n${cases}`);
  const { helpdeskRequests } = (await import(pathToFileURL(file).href)) as {
    helpdeskRequests: ProviderRequests;
  };
  const server = await startVendorServer(() => ({ body: { ok: true } }));
  onTestFinished(() => server.close());
  const resultFiles = {
    put: () => Promise.resolve({ id: caseFileId }),
    get: () => Promise.resolve(caseFile),
  };
  const router = createExecutionRouter({ registry, limiter: noLimits, resultFiles });
  const connection = openTestConnection({ provider: 'helpdesk', baseUrl: server.url });
  for (const [operation, { input, method, target, body, bodyHas = [] }] of Object.entries(
    helpdeskRequests.cases,
  )) {
    const result = await router.executeMCPTool('helpdesk', operation, input, connection);
    expect(result.status, operation).toBe('succeeded');
    const sent = server.requests.at(-1);
    expect([sent?.method, sent?.target], operation).toEqual([method, target]);
    if (body !== undefined) expect(sent?.body, operation).toBe(body);
    for (const text of bodyHas) expect(sent?.body, operation).toContain(text);
  }
  expect(Object.keys(helpdeskRequests.cases)).toEqual(
    Object.keys((await registry.findEntry('helpdesk'))?.provider.operations ?? {}),
  );
});

test('the table of the page is that of the catalogue; "npm run generate" writes it', async () => {
  const file = path.join(root, 'docs/providers.md');
  const providers = await (await openProviders()).listProviders();
  const options = { ...(await resolveConfig(file)), parser: 'markdown' };
  expect(await format(replaceTable(page, providers), options)).toBe(page);
});

test('the median of all operations is at most 15 lines', async () => {
  const sizes = await measureOperations(path.join(root, 'providers/catalogue'));
  const lines = sizes.flatMap((size) => size.lines);
  const providers = await (await openProviders()).listProviders();
  expect(lines).toHaveLength(providers.flatMap(({ operations }) => Object.keys(operations)).length);
  expect(toMedian(lines)).toBeLessThanOrEqual(15);
});
