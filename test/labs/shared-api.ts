import { startApi, type Api } from './api-lab.ts';

let started: Promise<Api> | undefined;

/**
 * Returns an API with the usual settings that all test files of this process use one after the other, with a new workspace.
 * A file that counts rows of all workspaces, or changes what workspaces share, starts its own with `startApi`.
 */
export async function shareApi(): Promise<Api> {
  const api = await (started ??= startApi());
  for (const calls of Object.values(api.calls)) calls.length = 0;
  api.logLines.length = 0;
  const { workspaceId, key } = await api.createWorkspace();
  return {
    ...api,
    workspaceId,
    key,
    call: (method, path, options) => api.call(method, path, { key, ...options }),
    // The next file continues with it, and it ends with the process, so that files need not stop it.
    stop: () => Promise.resolve(),
  };
}
