import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openProviders } from '../../src/engines/providers/registry.ts';
import { replaceTable } from './describe-catalogue.ts';
import { measureOperations, toMedian } from './measure-operations.ts';

const root = path.join(import.meta.dirname, '../..');
const page = path.join(root, 'docs/providers.md');

const registry = await openProviders();
const text = replaceTable(await readFile(page, 'utf8'), await registry.listProviders());
await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));

const sizes = await measureOperations(path.join(root, 'providers/catalogue'));
for (const { provider, lines, recordLines } of sizes)
  console.log(
    `${provider.padEnd(20)} ${String(lines.length).padStart(3)} operations, median ${toMedian(lines)} lines, ` +
      `longest ${Math.max(...lines)}, record ${recordLines}`,
  );
const all = sizes.flatMap(({ lines }) => lines);
console.log(`Median of ${all.length} operations: ${toMedian(all)} lines`);
