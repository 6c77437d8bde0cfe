import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { openBundleCache } from './bundle-cache.ts';
import type { BundledConverters } from './bundle-workflows.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const program = path.join(import.meta.dirname, `bundle-program${path.extname(import.meta.filename)}`);
const maxBuffer = 64 * 1024 ** 2;

/** The path of a bundle that `npm run build` makes. There is one for each failure converter. */
export function toBundleFile(converters: BundledConverters): string {
  return path.join(root, 'workflows', `${toBundleName(converters)}.js`);
}

function toBundleName({ failureConverterPath }: BundledConverters): string {
  return failureConverterPath === undefined ? 'bundle' : 'encrypting-bundle';
}

/**
 * Returns the bundle that `npm run build` made. In a clone there is none: the workflows are bundled, and the bundle is
 * kept until one of its sources changes.
 */
export async function loadWorkflowBundle(converters: BundledConverters): Promise<WorkflowBundleOption> {
  const built = toBundleFile(converters);
  if (existsSync(built)) return { codePath: built };
  const cache = openBundleCache(root, toBundleName(converters));
  if (existsSync(cache.file)) return { codePath: cache.file };
  const code = await bundleInChild(converters);
  try {
    cache.write(code);
  } catch {
    // The clone is read-only: each start bundles again.
  }
  return { code };
}

/** Bundles in its own process, since the bundler would stay in the memory of this one. */
async function bundleInChild({ payloadConverterPath, failureConverterPath }: BundledConverters) {
  const converters = JSON.stringify({ payloadConverterPath, failureConverterPath });
  const { stdout } = await promisify(execFile)(process.execPath, [program, converters], { maxBuffer });
  return stdout;
}
