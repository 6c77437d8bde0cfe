// The last step of `npm run build`: bundles the workflows, so that workers start without a bundler and write no file.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createDataConverter } from '../platform/temporal/data-converter.ts';
import { bundleWorkflows } from '../platform/temporal/bundle-workflows.ts';
import { toBundleFile } from '../platform/temporal/workflow-bundle.ts';

// The key is not part of the bundle; a converter that encrypts cannot be created without one.
const encryption = { keys: `build:${randomBytes(32).toString('base64')}` };

for (const encryptPayloads of [false, true]) {
  const dataConverter = createDataConverter({ encryption, encryptPayloads });
  const { code } = await bundleWorkflows(dataConverter);
  writeFileSync(toBundleFile(dataConverter), code);
}
