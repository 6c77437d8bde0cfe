import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../platform/temporal/bundle-workflows.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const toFile = (name: string) =>
  fileURLToPath(new URL(`../../../workflows/${name}.${extension}`, import.meta.url));

/** Bundles workflows, by default those of this version, so that `checkHistories` gets the commands that they issue. */
export function bundleForReplay(workflowsPath?: string) {
  return bundleWorkflows(
    { payloadConverterPath: toFile('payload-converter') },
    {
      workflowInterceptorModules: [toFile('command-recorder')],
      ...(workflowsPath === undefined ? {} : { workflowsPath }),
    },
  );
}
