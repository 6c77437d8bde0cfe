import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import type { NewResultFile, StoredFile } from '../../../src/domain/tool.ts';
import { createExecutionRouter, type ProviderRun } from '../../../src/engines/providers/execution-router.ts';
import { createProviderRegistry } from '../../../src/engines/providers/registry.ts';
import { bazaar } from '../../fixtures/bazaar.ts';
import { noLimits, openTestConnection } from '../../labs/open-connection.ts';
import { createLoopbackFetch } from '../../labs/open-connections.ts';
import { startVendorServer, type RecordedRequest, type VendorReply } from '../../servers/vendor-server.ts';

/** A local vendor with the provider `bazaar`, for one test. */
export async function startBazaar(answer?: (request: RecordedRequest) => VendorReply) {
  const server = await startVendorServer(answer);
  onTestFinished(() => server.close());
  const fetchFile = createLoopbackFetch();
  onTestFinished(() => fetchFile.close());
  const stored: NewResultFile[] = [];
  const files = new Map<string, StoredFile>();
  const resultFiles = {
    put: (file: NewResultFile) => Promise.resolve({ id: `file-${stored.push(file)}` }),
    get: ({ id }: { id: string }) => {
      const file = files.get(id);
      return file
        ? Promise.resolve(file)
        : Promise.reject(new HoldfastError('NOT_FOUND', `There is no file ${id}.`));
    },
  };
  const router = createExecutionRouter({
    registry: createProviderRegistry([bazaar]),
    limiter: noLimits,
    resultFiles,
    fetchFile,
  });
  const call = (tool: string, input: JsonObject, run: ProviderRun & { scopes?: string[] } = {}) => {
    const { scopes = null, ...limits } = run;
    const connection = openTestConnection({ provider: 'bazaar', baseUrl: server.url, scopes });
    return router.executeMCPTool('bazaar', tool, input, connection, limits);
  };
  /** The result as JSON. */
  const read = async (...parameters: Parameters<typeof call>) => {
    const result = await call(...parameters);
    if (result.status === 'failed') throw new Error(result.error.message);
    return JSON.parse(result.text) as JsonObject;
  };
  const targets = () => server.requests.map(({ target }) => target);
  return { server, stored, files, router, call, read, targets };
}
