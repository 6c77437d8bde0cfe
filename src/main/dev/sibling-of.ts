import path from 'node:path';

/** The file of another program beside a module: TypeScript in a clone, JavaScript in the package. */
export function siblingOf(module: string, name: string): string {
  return path.join(path.dirname(module), `${name}${path.extname(module)}`);
}
