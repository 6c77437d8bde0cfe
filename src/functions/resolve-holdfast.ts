import nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';

/** The prefix of a package name that is resolved from the working directory. */
export const fromWorkingDirectory = 'holdfast-functions:';

/** The modules of Holdfast that the operator's files import. */
const ownEntries = new Map([
  ['holdfast/functions', import.meta.url.replace(/resolve-holdfast(\.\w+)$/, 'index$1')],
  ['holdfast/agents', import.meta.url.replace(/functions\/resolve-holdfast(\.\w+)$/, 'code/index$1')],
]);

let isInstalled = false;

/**
 * Lets the operator's files import `holdfast/functions` and `holdfast/agents` wherever they are, and always as the copy
 * that runs; and `zod` where none is installed beside them. Node before 22.15 cannot: there the files need both packages near them.
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
      if (specifier !== 'zod') return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch {
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
