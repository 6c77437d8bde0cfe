import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** The converter files that become part of a bundle. */
export type BundledConverters = Pick<DataConverter, 'payloadConverterPath' | 'failureConverterPath'>;

/** Options of a bundle for the replay check; bundles of workers have none of them. */
interface BundleExtras {
  workflowInterceptorModules?: string[];
  /** @default the workflows of this version */
  workflowsPath?: string;
}

/** The path of the workflows, as source or as built by `tsc`. */
const ownWorkflowsPath = fileURLToPath(
  new URL(`../../../workflows/index.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/**
 * Bundles the workflows for a worker. All workflows of a worker share one copy of the modules, which keep no state:
 * evaluating 66 modules again for each workflow took 0.33 ms of processor time. The bundler stays in the memory of the
 * process: see `loadWorkflowBundle`.
 */
export function bundleWorkflows(
  { payloadConverterPath, failureConverterPath }: BundledConverters,
  { workflowsPath = ownWorkflowsPath, ...extras }: BundleExtras = {},
) {
  return bundleWorkflowCode({
    workflowsPath,
    ...extras,
    logger: new DefaultLogger('WARN'),
    preloadModules: ['@temporalio/workflow', workflowsPath],
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  });
}
