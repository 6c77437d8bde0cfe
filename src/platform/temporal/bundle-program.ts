// Program: bundle-program.ts <converters as JSON>. Writes the bundle of the workflows to its standard output.
import { type BundledConverters, bundleWorkflows } from './bundle-workflows.ts';

const { code } = await bundleWorkflows(JSON.parse(process.argv[2] ?? '{}') as BundledConverters);
process.stdout.write(code);
