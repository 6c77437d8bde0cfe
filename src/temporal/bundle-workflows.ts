import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** The converter files that become part of a bundle. */
export type BundledConverters = Pick<DataConverter, 'payloadConverterPath' | 'failureConverterPath'>;

/** What a bundle of the replay check has that those of workers do not have. */
interface BundleExtras {
  workflowInterceptorModules?: string[];
  /** @default the workflows of this version */
  workflowsPath?: string;
}

/** The path of the workflows, as source or as built by `tsc`. */
const ownWorkflowsPath = fileURLToPath(
  new URL(`../../workflows/index.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/**
 * Bundles the workflows for a worker. All workflows share one copy of the SDK's own module. The bundler stays in the
 * memory of the process: see `loadWorkflowBundle`.
 */
export function bundleWorkflows(
  { payloadConverterPath, failureConverterPath }: BundledConverters,
  extras: BundleExtras = {},
) {
  return bundleWorkflowCode({
    workflowsPath: ownWorkflowsPath,
    ...extras,
    logger: new DefaultLogger('WARN'),
    preloadModules: ['@temporalio/workflow'],
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  });
}
