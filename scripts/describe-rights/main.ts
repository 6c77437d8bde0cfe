import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { routes } from '../../src/main/rest-routes.ts';
import { replaceTables } from './describe-rights.ts';

const page = path.join(import.meta.dirname, '../../docs/rights.md');

const text = replaceTables(await readFile(page, 'utf8'), routes);
await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
