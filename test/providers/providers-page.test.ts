import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutionRouter } from '../../src/providers/execution-router.ts';
import { loadProviders } from '../../src/providers/registry.ts';
import { noLimits, openTestConnection } from '../labs/open-connection.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { startVendorServer } from '../servers/vendor-server.ts';
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
  const provider = pathToFileURL(path.join(root, 'src/providers/define-provider.ts')).href;
  await writeFile(
    file,
    text
      .replace("'../define-provider.ts'", `'${provider}'`)
      .replace("'zod'", `'${import.meta.resolve('zod')}'`),
  );
  return file;
}

test('the record on the page makes the requests of its cases', async () => {
  const registry = await loadProviders(path.dirname(await write('helpdesk', record)), '.ts');
  const file = await write('cases', `const caseFileId = '${caseFileId}';\n${cases}`);
  const { helpdeskRequests } = (await import(pathToFileURL(file).href)) as {
    helpdeskRequests: ProviderRequests;
  };
  const server = await startVendorServer(() => ({ body: { ok: true } }));
  onTestFinished(() => server.close());
  const blobs = { put: () => Promise.resolve({ id: caseFileId }), get: () => Promise.resolve(caseFile) };
  const router = createExecutionRouter({ registry, limiter: noLimits, blobs });
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
    Object.keys(registry.findProvider('helpdesk')?.operations ?? {}),
  );
});
