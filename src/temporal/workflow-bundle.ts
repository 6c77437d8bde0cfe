import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

/** The path of the workflows, as source or as built by `tsc`. */
const workflowsPath = fileURLToPath(
  new URL(`../../workflows/index.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** Bundles the workflows for a worker. All workflows share one copy of the SDK's own module. */
export function bundleWorkflows({ payloadConverterPath, failureConverterPath }: DataConverter) {
  return bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    preloadModules: ['@temporalio/workflow'],
    // Webpack keeps what it compiled in `node_modules/.cache/webpack`, so that later starts take half the time.
    // It does not notice another converter, so each has a cache of its own.
    webpackConfigHook: (configuration) => ({
      ...configuration,
      cache: { type: 'filesystem', name: toBundleName(failureConverterPath) },
    }),
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  });
}

/** The path of a bundle that `npm run build` makes. There is one for each failure converter. */
export function toBundleFile({ failureConverterPath }: DataConverter): string {
  return fileURLToPath(new URL(`../../workflows/${toBundleName(failureConverterPath)}.js`, import.meta.url));
}

function toBundleName(failureConverterPath: string | undefined): string {
  return failureConverterPath === undefined ? 'bundle' : 'encrypting-bundle';
}

/** Returns the bundle that `npm run build` made. In a clone there is none, and the workflows are bundled now. */
export async function loadWorkflowBundle(dataConverter: DataConverter): Promise<WorkflowBundleOption> {
  const codePath = toBundleFile(dataConverter);
  return existsSync(codePath) ? { codePath } : bundleWorkflows(dataConverter);
}
