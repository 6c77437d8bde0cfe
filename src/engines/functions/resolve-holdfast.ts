import nodeModule, { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The prefix of a package name that is resolved from the working directory. */
export const fromWorkingDirectory = 'holdfast-functions:';

/** The modules of Holdfast that the operator's files import. */
const ownEntries = new Map([
  ['holdfast/functions', import.meta.url.replace(/resolve-holdfast(\.\w+)$/, 'index$1')],
  [
    'holdfast/agents',
    import.meta.url.replace(/engines\/functions\/resolve-holdfast(\.\w+)$/, 'clients/code/index$1'),
  ],
]);

/** The module whose imports are the operator's files. */
const loader = import.meta.url.replace(/resolve-holdfast(\.\w+)$/, 'code-modules$1');

let isInstalled = false;
let generation = 0;

/** The mark of a file that was loaded again. Node loads a file once for each URL. */
const generationMark = 'holdfast-generation';

/**
 * Lets the operator's files import `holdfast/functions` and `holdfast/agents` wherever they are, and always as the copy
 * that runs; and `zod` where none is installed beside them. Node before 22.15 cannot: there the files need both packages
 * near them.
 */
export function resolveHoldfastForCode(): void {
  const { registerHooks } = nodeModule as { registerHooks?: typeof nodeModule.registerHooks };
  if (isInstalled || !registerHooks) return;
  isInstalled = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const own = ownEntries.get(specifier);
      if (own !== undefined) return { url: own, shortCircuit: true };
      if (specifier.startsWith(fromWorkingDirectory)) {
        const parentURL = pathToFileURL(`${process.cwd()}/`).href;
        return nextResolve(specifier.slice(fromWorkingDirectory.length), { ...context, parentURL });
      }
      if (specifier === 'zod') return resolveZod(context, nextResolve);
      const resolved = nextResolve(specifier, context);
      return isReloaded(resolved.url, context.parentURL)
        ? { ...resolved, url: `${resolved.url}?${generationMark}=${generation}` }
        : resolved;
    },
  });
}

/**
 * From now on the operator's files, and the files of theirs that they import, are loaded again. Files that were loaded
 * before stay in memory, so this is for development.
 */
export function beginGeneration(): void {
  generation += 1;
  const { cache } = createRequire(import.meta.url);
  const project = `${process.cwd()}${path.sep}`;
  for (const file of Object.keys(cache)) {
    if (file.startsWith(project) && !file.includes('node_modules')) Reflect.deleteProperty(cache, file);
  }
}

type Resolve = Parameters<typeof nodeModule.registerHooks>[0]['resolve'] & {};
type ResolveContext = Parameters<Resolve>[1];
type NextResolve = Parameters<Resolve>[2];

function resolveZod(context: ResolveContext, nextResolve: NextResolve) {
  try {
    return nextResolve('zod', context);
  } catch {
    return nextResolve('zod', { ...context, parentURL: import.meta.url });
  }
}

/** Whether a file is the operator's: imported by the loader, or by another file that was loaded again. */
function isReloaded(url: string, parent: string | undefined): boolean {
  if (generation === 0 || !url.startsWith('file:') || url.includes('?')) return false;
  if (url.includes('/node_modules/')) return false;
  return parent === loader || (parent?.includes(`?${generationMark}=`) ?? false);
}
