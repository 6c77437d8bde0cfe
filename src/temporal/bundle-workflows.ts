import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** The converter files that become part of a bundle. */
export type BundledConverters = Pick<DataConverter, 'payloadConverterPath' | 'failureConverterPath'>;

/** The path of the workflows, as source or as built by `tsc`. */
const workflowsPath = fileURLToPath(
  new URL(`../../workflows/index.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/**
 * Bundles the workflows for a worker. All workflows share one copy of the SDK's own module. The bundler stays in the
 * memory of the process: see `loadWorkflowBundle`.
 */
export function bundleWorkflows({ payloadConverterPath, failureConverterPath }: BundledConverters) {
  return bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    preloadModules: ['@temporalio/workflow'],
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  });
}
