// Builds the console into its own folder, or into the one that is given.
import path from 'node:path';
import { buildConsole } from './build-console.ts';

const [folder] = process.argv.slice(2);
await buildConsole(folder === undefined ? undefined : path.resolve(folder));
